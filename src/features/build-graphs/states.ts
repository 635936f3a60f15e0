/** A graph is seeded by itself from this research score on, with this many features. */
export const SEED_SCORE = 70;
export const SEED_FEATURES = 5;

/** How deep a graph's own run takes nodes apart: roots, and what is still large below them. */
export const DEPTHS = [0, 1] as const;

/** Nodes that are taken apart side by side: enough for most levels, few enough that a model which answers one by one keeps its time limit. */
export const SIDE_BY_SIDE = 8;
