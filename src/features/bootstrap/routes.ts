import { z } from 'zod';
import { creditsOf, ensureProfile, planOf } from '#features/profile';
import { countProjects } from '#features/projects';
import { route } from '#platform/http/shapes/json.ts';

const Credits = { credits_used: z.number(), credits_total: z.number() };

const Bootstrap = z.object({
  profile: z.object({ name: z.string(), email: z.string(), plan: z.enum(['free', 'pro']), ...Credits, project_count: z.int() }),
  subscription: z.object({ plan: z.string(), ...Credits }),
  secrets: z.object({ has_codehost_pat: z.boolean(), has_llm_a_key: z.boolean(), has_llm_b_key: z.boolean() }),
});

export const bootstrapRoute = route({
  method: 'GET',
  path: '/auth/bootstrap',
  summary: 'What a client needs first: profile, subscription, stored secrets',
  responses: { 200: Bootstrap },
  async handle({ ctx, principal }, reply) {
    const profile = await ensureProfile(ctx.db, principal);
    const credits = creditsOf(profile, ctx.clock.now());
    const plan = planOf(profile.tier);
    return reply(200, {
      profile: { name: profile.name, email: profile.email, plan, ...credits, project_count: await countProjects(ctx.db, principal.userId) },
      subscription: { plan, ...credits },
      secrets: {
        has_codehost_pat: profile.codehost_pat_sealed !== null,
        has_llm_a_key: profile.llm_a_key_sealed !== null,
        has_llm_b_key: profile.llm_b_key_sealed !== null,
      },
    });
  },
});
