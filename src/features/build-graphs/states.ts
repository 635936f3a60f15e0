/** A graph is seeded by itself from this research score on, with this many features. */
export const SEED_SCORE = 70;
export const SEED_FEATURES = 5;

/** About how many parts the plan of a first release has, and into how many of them one is taken apart. */
export const FIRST_RELEASE = 15;
export const USUAL_PARTS = 4;

/** Into how many parts a node is taken apart at the most, whoever plans; what a plan has beyond them is left out. */
export const MOST_PARTS = 16;

/** Nodes this far below the roots are pieces of work, however large a planner thinks them. */
export const DEEPEST = 8;

/** How many nodes a graph may have. */
export const MOST_NODES = 3000;

/** How many researches may be linked to a graph beside its own. */
export const MOST_SOURCES = 50;
