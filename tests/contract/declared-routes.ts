import { families } from '../../src/app/families.ts';
import { loadConfig } from '#platform/config/config.ts';
import type { Family } from '#platform/http/declared.ts';

/** The declarations alone, with standard limits: nothing they need to answer is there. */
export const declaredFamilies = (): Family[] => families({ limits: loadConfig({}) } as never);
