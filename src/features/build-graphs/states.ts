/** A graph is seeded by itself from this research score on, with this many features. */
export const SEED_SCORE = 70;
export const SEED_FEATURES = 5;

/** How deep a graph's own run takes nodes apart: roots, and what is still large below them. */
export const DEPTHS = [0, 1] as const;

/** Into how many parts a node is taken apart at the most, whoever plans; what a plan has beyond them is left out. */
export const MOST_PARTS = 16;

/** Nodes this far below the roots are pieces of work, however large a planner thinks them. */
export const DEEPEST = 8;

/** How many nodes a graph may have, and how many it has to have for its own run to take no more apart. */
export const MOST_NODES = 3000;
export const ENOUGH_NODES = 2400;

/** How many researches may be linked to a graph beside its own. */
export const MOST_SOURCES = 50;

/** Nodes that are taken apart side by side: enough for most levels, few enough that a model which answers one by one keeps its time limit. */
export const SIDE_BY_SIDE = 8;
