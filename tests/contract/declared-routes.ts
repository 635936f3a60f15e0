import { families } from '../../src/app/families.ts';
import type { Family } from '#platform/http/registry.ts';

/** The declarations alone: nothing they need to answer is there. */
export const declaredFamilies = (): Family[] => families({} as never);
