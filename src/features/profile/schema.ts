import { z } from 'zod';
import { Timestamp } from '#platform/http/vocabulary.ts';

const AUTONOMY_LEVELS = ['suggest', 'confirm', 'auto'] as const;

/** What an agent may be allowed to do by itself. */
export const AUTO_ACTIONS = [
  'chat.post',
  'docs.export',
  'tracker_a.create_issues',
  'tracker_b.create_issues',
  'mail.send',
  'push.push',
  'push.push_silent',
  'codehost.create_pr',
] as const;

export const AgentConfig = z.object({ autonomy_level: z.enum(AUTONOMY_LEVELS), auto_actions: z.array(z.enum(AUTO_ACTIONS)) });
export type AgentConfig = z.output<typeof AgentConfig>;

/** What is given replaces what was; a list is taken without repetitions. */
export const UpdateAgentConfig = z.object({
  autonomy_level: z.enum(AUTONOMY_LEVELS).optional(),
  auto_actions: z
    .array(z.enum(AUTO_ACTIONS))
    .max(100)
    .transform((actions) => [...new Set(actions)])
    .optional(),
});
export type UpdateAgentConfig = z.output<typeof UpdateAgentConfig>;

export const Profile = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  plan: z.string(),
  credits_used: z.number(),
  credits_total: z.number(),
  phone: z.string().nullable().meta({ description: 'E.164; null until one is verified' }),
  agent_config: AgentConfig,
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** Keys and tokens are printable ASCII without spaces, as they go into headers. */
const Secret = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .regex(/^[\x21-\x7e]+$/, 'Invalid key: it holds a character that no key has')
  .nullable()
  .optional()
  .meta({ description: 'write-only; null removes it', writeOnly: true });

export const UpdateProfile = z.object({
  name: z.string().trim().max(200).optional(),
  codehost_pat: Secret,
  llm_a_key: Secret,
  llm_b_key: Secret,
});
export type UpdateProfile = z.output<typeof UpdateProfile>;

/** E.164: the country code and at most 15 digits in all (ITU-T E.164, 6). */
const Phone = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'Invalid number: E.164 is expected, such as +14155550123')
  .meta({ description: 'E.164', examples: ['+14155550123'] });

export const StartPhone = z.object({ phone: Phone });
export const PhoneCodeSent = z.object({ sent: z.literal(true), to: z.string() });
export const VerifyPhone = z.object({ phone: Phone, code: z.string().trim().max(100) });
export const PhoneLinked = z.object({ linked: z.literal(true), phone: z.string() });
export const PhoneUnlinked = z.object({ success: z.literal(true) });

export const McpTokens = z.object({
  tokens: z.array(z.object({ id: z.uuid(), name: z.string(), created_at: Timestamp, last_used_at: Timestamp.nullable(), active: z.boolean() })),
});
export const MintMcpToken = z.object({ name: z.string().trim().max(100).default('') });
export const MintedMcpToken = z.object({
  id: z.uuid(),
  name: z.string(),
  token: z.string().meta({ description: '`mcp_` and 48 characters; shown this once' }),
  created_at: Timestamp,
});
export const McpTokenRevoked = z.object({ revoked: z.literal(true) });
