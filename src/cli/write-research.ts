import { researchDocument, verdictLine } from '#features/reports';
import type { Run } from './command.ts';
import type { Researched } from './follow-research.ts';
import { writeFound, type Wanted } from './write-out.ts';

/** Writes a research as it was asked for, and says where it is kept. */
export function writeResearch({ artifact, projectId, researchId }: Researched, wanted: Wanted, run: Run): void {
  writeFound(
    { data: artifact, document: () => researchDocument(artifact), summary: `${verdictLine(artifact.recommendation)}. The report` },
    wanted,
    run,
  );
  process.stderr.write(`Kept as research ${researchId} in project ${projectId}\n`);
}
