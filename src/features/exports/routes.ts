import { z } from 'zod';
import { conflict, notFound } from '#lib/errors.ts';
import { getBrief } from '#features/briefs';
import { readPlan } from '#features/build-graphs';
import { briefDocument, planDocument, researchDocument } from '#features/reports';
import { findOwnedJob, readArtifact } from '#features/research';
import { fileRoute } from '#platform/http/shapes/file.ts';
import { OWN_LIMITS } from '#platform/http/route-limits.ts';
import { idParam } from '#platform/http/vocabulary.ts';
import { printDocument } from './print-document.ts';

const Format = z.object({ format: z.enum(['pdf']).default('pdf') });
const PRODUCES = ['application/pdf', 'text/plain'];

export const researchExportRoute = fileRoute({
  path: '/research/{job_id}/export',
  summary: 'A completed research as PDF',
  params: idParam('job_id'),
  query: Format,
  produces: PRODUCES,
  limit: OWN_LIMITS.work,
  async handle({ ctx, principal, params }) {
    const job = await findOwnedJob(ctx.db, principal.userId, params.job_id);
    if (!job) throw notFound('Research job');
    const artifact = job.status === 'completed' ? await readArtifact(ctx.db, job.id) : null;
    if (!artifact) throw conflict(`Only completed research can be exported; this one is ${job.status}`);
    return printDocument(ctx, researchDocument(artifact), artifact.short_title, 'market-research');
  },
});

export const graphExportRoute = fileRoute({
  path: '/build-graphs/{graph_id}/export',
  summary: 'A build graph as PDF',
  params: idParam('graph_id'),
  query: Format,
  produces: PRODUCES,
  limit: OWN_LIMITS.work,
  async handle({ ctx, principal, params }) {
    const plan = await readPlan(ctx, principal, params.graph_id);
    return printDocument(ctx, planDocument({ ...plan, evidence: [] }), plan.graph.idea, 'build-plan');
  },
});

export const briefExportRoute = fileRoute({
  path: '/briefs/{brief_id}/export',
  summary: 'A brief as PDF',
  params: idParam('brief_id'),
  query: Format,
  produces: PRODUCES,
  limit: OWN_LIMITS.work,
  async handle({ ctx, principal, params }) {
    const brief = await getBrief(ctx, principal, params.brief_id);
    return printDocument(ctx, briefDocument(brief), brief.title, 'market-brief');
  },
});
