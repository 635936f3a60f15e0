import type { z } from 'zod';
import type { ProfileRow } from './profile-store.ts';
import type { AgentConfig, Profile } from './schema.ts';
import { planOf } from './tiers.ts';
import { creditsOf } from './usage-counters.ts';

/** A profile as it goes over the wire. @param now in whose month the credits count */
export const presentProfile = (row: ProfileRow, now: Date): z.input<typeof Profile> => ({
  user_id: row.user_id,
  name: row.name,
  email: row.email,
  plan: planOf(row.tier),
  ...creditsOf(row, now),
  phone: row.phone,
  agent_config: presentAgentConfig(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** How far a user's agents may go by themselves. */
export const presentAgentConfig = ({ autonomy_level, auto_actions }: Pick<ProfileRow, 'autonomy_level' | 'auto_actions'>): AgentConfig => ({
  autonomy_level,
  auto_actions,
});
