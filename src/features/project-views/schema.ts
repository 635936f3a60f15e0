import { z } from 'zod';
import { BuildNode, GraphStatus } from '#features/build-graphs';
import { Project, ProjectState } from '#features/projects';
import { ResearchArtifact } from '#features/research';
import { Timestamp } from '#platform/http/vocabulary.ts';

export const ProjectListItem = z.object({
  project_id: z.uuid(),
  state: ProjectState,
  quality_score: z.number(),
  short_title: z.string(),
  short_description: z.string(),
  last_research_completed_at: Timestamp.nullable(),
  has_benchmark_signal: z.boolean(),
  research_count: z.int(),
  graph_count: z.int(),
  updated_at: Timestamp,
});

export const ResearchItem = z.object({
  id: z.uuid(),
  idea: z.string(),
  status: z.string(),
  category: z.string(),
  score: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const GraphItem = z.object({
  id: z.uuid(),
  title: z.string(),
  status: z.string(),
  node_count: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const ProjectDetail = Project.extend({
  research_count: z.int(),
  graph_count: z.int(),
  recent_research: z.array(ResearchItem),
  build_graphs: z.array(GraphItem),
});

export const FullProject = z.object({
  id: z.uuid(),
  title: z.string(),
  research: ResearchArtifact.nullable(),
  research_in_progress: z.object({ job_id: z.uuid(), status: z.string(), stage: z.string() }).nullable(),
  build_graph: z.object({ roots: z.array(BuildNode) }).nullable(),
  similar: z.array(z.object({ id: z.uuid(), idea: z.string(), category: z.string(), similarity: z.number().min(0).max(1) })),
});

export const ProjectHome = z.object({
  project: z.object({
    id: z.uuid(),
    short_title: z.string(),
    description: z.string(),
    status: z.string(),
    quality: z.number(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  digest: z.string(),
  research: z.array(
    z.object({
      id: z.uuid(),
      status: z.string(),
      version: z.int(),
      completed_at: Timestamp.nullable(),
      quality: z.object({ overall_score: z.number() }),
      top_competitors: z.array(z.string()),
    }),
  ),
  build_graphs: z.array(
    z.object({ id: z.uuid(), status: GraphStatus, node_count: z.int(), expanded_count: z.int(), completed_at: Timestamp.nullable() }),
  ),
  briefs: z.array(z.looseObject({})),
  clips: z.array(z.object({ slug: z.string(), target_type: z.string(), target_id: z.uuid(), created_at: Timestamp })),
  agents: z.array(z.looseObject({})),
  ws: z.object({ last_event_seq: z.int() }),
});

export const TABS = ['research', 'build_graphs', 'briefs', 'clips', 'agents', 'forge', 'timeline'] as const;

export const TabPage = z.object({
  tab: z.enum(TABS),
  items: z.array(z.looseObject({})),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
});

export const Preview = z.object({
  id: z.uuid(),
  title: z.string(),
  one_liner: z.string(),
  state: ProjectState,
  quality_score: z.number(),
  updated_at: Timestamp,
});
