import { readFindings } from '#features/feature-research';
import { readArtifact, type ResearchArtifact } from '#features/research';
import type { Db } from '#platform/db/database.ts';
import { listSources, type Graph } from './graph-store.ts';
import type { Material } from './planner.ts';

const MOST_RESEARCH = 5;

/** What a graph is planned from: its idea and features, its own research first, then what was linked, then feature research. */
export async function loadMaterial(db: Db, graph: Graph): Promise<Material> {
  const linked = (await listSources(db, graph.id)).map(({ research_id: id }) => id);
  const ids = [...new Set([...(graph.research_id ? [graph.research_id] : []), ...linked])].slice(0, MOST_RESEARCH);
  const research: ResearchArtifact[] = [];
  for (const id of ids) {
    const artifact = await readArtifact(db, id);
    if (artifact) research.push(artifact);
  }
  const findings = graph.feature_research_id ? await readFindings(db, graph.feature_research_id) : null;
  return { idea: graph.idea, features: graph.selected_features, research, findings };
}
