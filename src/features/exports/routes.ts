import { z } from 'zod';
import { conflict, notFound } from '#lib/errors.ts';
import { briefForExport } from '#features/briefs';
import { graphForExport } from '#features/build-graphs';
import { findOwnedJob, readArtifact } from '#features/research';
import { fileRoute } from '#platform/http/file-route.ts';
import { idParam } from '#platform/http/vocabulary.ts';
import { briefPaper } from './brief-paper.ts';
import { graphPaper } from './graph-paper.ts';
import { printPaper } from './print-paper.ts';
import { researchPaper } from './research-paper.ts';

const Format = z.object({ format: z.enum(['pdf']).default('pdf') });
const PRODUCES = ['application/pdf', 'text/plain'];

export const researchExportRoute = fileRoute({
  path: '/research/{job_id}/export',
  summary: 'A completed research as PDF',
  params: idParam('job_id'),
  query: Format,
  produces: PRODUCES,
  async handle({ ctx, principal, params }) {
    const job = await findOwnedJob(ctx.db, principal.userId, params.job_id);
    if (!job) throw notFound('Research job');
    const artifact = job.status === 'completed' ? await readArtifact(ctx.db, job.id) : null;
    if (!artifact) throw conflict(`Only completed research can be exported; this one is ${job.status}`);
    return printPaper(ctx, researchPaper(artifact), artifact.short_title, 'market-research');
  },
});

export const graphExportRoute = fileRoute({
  path: '/build-graphs/{graph_id}/export',
  summary: 'A build graph as PDF',
  params: idParam('graph_id'),
  query: Format,
  produces: PRODUCES,
  async handle({ ctx, principal, params }) {
    const graph = await graphForExport(ctx, principal, params.graph_id);
    return printPaper(ctx, graphPaper(graph, ctx.clock.now()), graph.idea, 'build-plan');
  },
});

export const briefExportRoute = fileRoute({
  path: '/briefs/{brief_id}/export',
  summary: 'A brief as PDF',
  params: idParam('brief_id'),
  query: Format,
  produces: PRODUCES,
  async handle({ ctx, principal, params }) {
    const brief = await briefForExport(ctx, principal, params.brief_id);
    return printPaper(ctx, briefPaper(brief), brief.title, 'market-brief');
  },
});
