export const PROJECT_STATES = ['draft', 'researching', 'ready', 'building', 'blocked', 'done'] as const;
export type ProjectState = (typeof PROJECT_STATES)[number];

/** Automatic moves, by what causes them. `blocked` and `done` are left by none: they are the owner's decision. */
export const MOVES = {
  research_started: { draft: 'researching' },
  research_completed: { draft: 'ready', researching: 'ready' },
  research_failed_before_any: { researching: 'draft' },
  research_failed_after_another: { researching: 'ready' },
  build_started: { ready: 'building' },
} as const satisfies Record<string, Partial<Record<ProjectState, ProjectState>>>;

export type ProjectMove = keyof typeof MOVES;

/** How many an account may have. */
export const MOST_PROJECTS = 20_000;

/** What the owner may set by hand, from any state. */
export const MANUAL_STATES = ['blocked', 'done'] as const;
