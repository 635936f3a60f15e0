import { insertCards } from '#features/cards';
import { startResearch } from '#features/research';
import { shorten } from '#lib/text.ts';
import type { AppContext } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';

type SubmitNeeds = Pick<AppContext, 'db' | 'streams' | 'queue' | 'events' | 'embeddings' | 'log' | 'config' | 'clock'>;

/** Starts a research and writes the card that reports on it; without a project it gets a new one. */
export async function submitPipelineIdea(ctx: SubmitNeeds, principal: Principal, idea: string, projectId: string | null): Promise<string> {
  let cardId = '';
  await startResearch(
    ctx,
    principal,
    { idea, projectId, mode: 'market' },
    {
      ...(projectId ? {} : { newProject: { description: '' } }),
      alongside: async (tx, started) => {
        const owner = { userId: principal.userId, projectId: started.projectId, researchJobId: started.jobId, source: 'research' };
        const body = { research_id: started.jobId, project_id: started.projectId, idea };
        const [id] = await insertCards(tx, owner, [
          { cardType: 'research_started', title: `Researching: ${shorten(idea, 80)}`, body, status: 'in_progress' },
        ]);
        cardId = id ?? '';
      },
    },
  );
  return cardId;
}
