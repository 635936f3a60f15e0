import { describe, expect, it } from 'vitest';
import { marketArtifact } from '#testing/market-artifact.ts';
import type { Pivot } from './analyst.ts';
import { lockPivots } from './pivot-lock.ts';

const pivot = (idea: string, more: Partial<Pivot> = {}): Pivot => ({
  idea,
  rationale: 'Acme alone has route planning.',
  differentiation: 'Plain and Newco do not plan routes.',
  ...more,
});
const rules = [pivot('The first way of the rules'), pivot('The second way of the rules')];

describe('lockPivots', () => {
  it('leaves pivots that the research bears out, with plans of their own', () => {
    const pivots = [
      pivot('Booking for mobile vets with 3 to 20 vans, at $9 a month'),
      pivot('Route planning for piano tuners'),
      pivot('Deposits for tutors'),
    ];
    expect(lockPivots(pivots, marketArtifact(), () => [])).toEqual(pivots);
  });

  it.each([
    { rationale: 'Zentrova Quovex alone has route planning.' },
    { rationale: 'Some 83% of groomers want it.' },
    { differentiation: 'Acme charges $47 for it.' },
    { differentiation: 'See zentrova.io for what it lacks.' },
    { idea: 'Booking that beats Zentrova Quovex for vets' },
  ])('puts the rules’ pivot in the place of one that says %o', (more) => {
    const [first, last] = [pivot('One way'), pivot('Another way')];
    expect(lockPivots([first, pivot('A third way', more), last], marketArtifact(), () => [first, ...rules])).toEqual([first, rules[0], last]);
  });
});
