import { notFound } from '#lib/errors.ts';
import { normaliseText } from '#lib/text.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { findOwnedJob, listVersions, readArtifact } from './research-store.ts';
import type { ResearchArtifact } from './schema.ts';

type ListDiff = { added: string[]; removed: string[]; unchanged: number };
export type ResearchDiff =
  | {
      diff_available: true;
      current_version: number;
      previous_version: number;
      competitors: ListDiff;
      features: ListDiff;
      recommendation_changed: boolean;
    }
  | { diff_available: false; reason: string };

/** What changed against the previous completed research of the same project, or of the same idea without one. */
export async function diffResearch({ db }: Needs<'db'>, principal: Principal, jobId: string): Promise<ResearchDiff> {
  const job = await findOwnedJob(db, principal.userId, jobId);
  if (!job) throw notFound('Research job');
  if (job.status !== 'completed')
    return { diff_available: false, reason: `This research is ${job.status}; only completed research can be compared.` };
  const versions = await listVersions(db, job);
  const place = versions.findIndex((version) => version.id === jobId);
  const before = versions[place - 1];
  if (!before) return { diff_available: false, reason: 'There is no earlier completed version to compare with.' };
  const [current, previous] = await Promise.all([readArtifact(db, jobId), readArtifact(db, before.id)]);
  if (!current || !previous) return { diff_available: false, reason: 'There is no earlier completed version to compare with.' };
  return {
    diff_available: true,
    current_version: place + 1,
    previous_version: place,
    competitors: compare(previous.market.competitors, current.market.competitors),
    features: compare(previous.features, current.features),
    recommendation_changed: recommendationOf(previous) !== recommendationOf(current),
  };
}

function compare(previous: readonly { name: string }[], current: readonly { name: string }[]): ListDiff {
  const before = new Map(previous.map(({ name }) => [normaliseText(name), name]));
  const after = new Map(current.map(({ name }) => [normaliseText(name), name]));
  const added = [...after].filter(([key]) => !before.has(key)).map(([, name]) => name);
  const removed = [...before].filter(([key]) => !after.has(key)).map(([, name]) => name);
  return { added, removed, unchanged: after.size - added.length };
}

const recommendationOf = ({ recommendation }: ResearchArtifact): string => `${recommendation.verdict} ${Math.round(recommendation.score ?? 0)}`;
