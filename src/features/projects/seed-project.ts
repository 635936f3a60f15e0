import { DOUBTFUL_BELOW, openCatalogue } from '#features/catalogue';
import { count, listOf } from '#lib/text.ts';
import type { Needs } from '#platform/context.ts';
import { SupersededError } from '#platform/streams/event-log.ts';
import { embedProject, meaningTextOf } from './create-project.ts';
import { projectChannel } from './events.ts';
import { nearestProjects } from './nearest-projects.ts';
import { findProject } from './project-store.ts';
import { findVector, saveVector } from './vector-store.ts';

const SIMILAR_AT_LEAST = 0.35;
const EMBEDDING_PATIENCE_MS = 30_000;

/**
 * What is known about a new project's market, as one `project.seeded` event on its channel; nothing when the catalogue
 * does not know the market.
 */
export async function seedProject(ctx: Needs<'db' | 'streams' | 'embeddings' | 'log'>, projectId: string, signal: AbortSignal): Promise<void> {
  const project = await findProject(ctx.db, projectId);
  if (!project) return;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(EMBEDDING_PATIENCE_MS)]);
  const kept = await findVector(ctx.db, projectId);
  const fresh = kept ? null : await embedProject(ctx, project, patience);
  signal.throwIfAborted();
  if (fresh) await saveVector(ctx.db, projectId, fresh);
  const vector = kept ?? fresh;
  const near = vector ? await nearestProjects(ctx.db, project.user_id, vector, { limit: 20, except: projectId }) : [];
  const earlier = near.filter(({ similarity }) => similarity >= SIMILAR_AT_LEAST).length;
  const answer = openCatalogue().search(meaningTextOf(project), { limit: 1 });
  const market = answer.categories[0]?.category;
  if (!market || answer.confidence < DOUBTFUL_BELOW) return;
  const competitors = answer.companies.slice(0, 8);
  const features = [...answer.features].sort((left, right) => right.frequency - left.frequency).slice(0, 8);
  const seeded = [
    {
      event: 'project.seeded',
      data: {
        kind: 'catalogue',
        summary: `${market.name}: ${count(competitors.length, 'known product')}, among them ${listOf(competitors.slice(0, 3).map(({ company }) => company.name))}.`,
        competitors: competitors.map(({ company, score }) => ({
          name: company.name,
          domain: company.domain,
          description: company.summary,
          frequency: round(score),
        })),
        features: features.map(({ feature, category, frequency }) => ({
          name: feature.name,
          category: category.name,
          description: feature.description,
          frequency: round(frequency),
        })),
        based_on_n_prior_projects: earlier,
      },
    },
  ];
  await ctx.streams.append(ctx.db, projectChannel(projectId), seeded).catch((error: unknown) => {
    // The project was deleted meanwhile: there is nobody to tell.
    if (!(error instanceof SupersededError)) throw error;
  });
}

const round = (value: number): number => Math.round(value * 100) / 100;
