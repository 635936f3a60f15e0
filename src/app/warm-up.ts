import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openCatalogue, openCatalogueByParts } from '#features/catalogue';
import { knownFeatures } from '#features/feature-research';
import { groundsOf } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import { loadSdk } from '#platform/llm/language-models.ts';

const ANY_IDEA = 'A planner for community gardens';

/**
 * Loads what the first research would otherwise wait for, one thing after the other so that requests are answered in
 * between. What cannot be loaded is left to whoever needs it.
 */
export async function warmUp({ config, embeddings, pages, log }: Pick<AppContext, 'config' | 'embeddings' | 'pages' | 'log'>): Promise<void> {
  const works = config.roles.has('worker');
  const steps: [boolean, () => unknown][] = [
    [true, () => inTurns(openCatalogueByParts())],
    [true, () => openCatalogue().search(ANY_IDEA)],
    // What a model is asked with comes first: the rest has time while it answers.
    ...config.models.map(({ name }): [boolean, () => unknown] => [works, () => loadSdk(name)]),
    [works, () => openCatalogue().companyCalled(ANY_IDEA)],
    // The names and words that sentences are held against are gathered at the first of them.
    [works, () => groundsOf([]).faultOf(ANY_IDEA)],
    [config.embeddings.kind === 'built_in', () => embeddings.embed([ANY_IDEA])],
    [works && config.search.provider !== 'none', () => pages.prepare()],
    [works, knownFeatures],
    // Else it is written at the end of the process, which may be a sudden one.
    [true, () => flushCompileCache()],
    [true, collectGarbage],
  ];
  for (const [isNeeded, step] of steps) {
    if (!isNeeded) continue;
    await nextTurn();
    try {
      await step();
    } catch (error) {
      log.debug({ err: error }, 'warming up');
    }
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function inTurns(parts: Iterable<void>): Promise<void> {
  for (const _ of parts) await nextTurn();
}

/** Gives back what loading left behind: a quarter of what an idle process would go on holding. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
