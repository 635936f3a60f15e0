/** The sections of a brief, in the order in which they are read. */
export const SECTION_TYPES = ['market_map', 'incumbents', 'emerging', 'features', 'market_gaps', 'positioning', 'mvp_angle'] as const;
export type SectionType = (typeof SECTION_TYPES)[number];

/** `failed` only when not one section could be written; a brief that lacks some is `ready`, and says which. */
export const BRIEF_STATUSES = ['generating', 'ready', 'failed'] as const;
export type BriefStatus = (typeof BRIEF_STATUSES)[number];

/** The revision that a brief begins with. */
export const FIRST_REVISION = 1;
/** A brief that has this many is not written anew any more; each keeps a text and two events. */
export const MOST_REVISIONS = 500;
/** How often one section may wait to be written anew: once while it is written, and once more. */
export const MOST_WAITING = 2;

/** Who a brief is for that was begun by the first coding run of a project. */
export const FOUNDER = 'founder';
