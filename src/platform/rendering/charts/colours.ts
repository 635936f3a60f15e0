/** What a colour stands for in a picture. */
export type Role = 'ink' | 'muted' | 'line' | 'surface' | 'accent' | 'soft' | 'second' | 'good' | 'fair' | 'poor';
export type Colours = Readonly<Record<Role, string>>;

/** Text on white holds 4.5:1, marks 3:1. */
export const LIGHT: Colours = {
  ink: '#16202b',
  muted: '#52606d',
  line: '#d5dbe1',
  surface: '#ffffff',
  accent: '#1456b8',
  soft: '#e3edfa',
  second: '#b4460f',
  good: '#19703a',
  fair: '#8a5a00',
  poor: '#b3261e',
};

export const DARK: Colours = {
  ink: '#e8edf2',
  muted: '#a3b0bd',
  line: '#34414e',
  surface: '#10171e',
  accent: '#7fb2ff',
  soft: '#1b2c42',
  second: '#ffa06b',
  good: '#6fd394',
  fair: '#f0b94a',
  poor: '#ff8f86',
};

/** For pictures inside a page: the page's custom properties decide, so one picture serves both schemes. */
export const PAGE: Colours = Object.fromEntries(Object.keys(LIGHT).map((role) => [role, `var(--${role})`])) as Colours;

/** The custom properties that {@link PAGE} refers to. */
export const asProperties = (colours: Colours): string =>
  Object.entries(colours)
    .map(([role, colour]) => `--${role}:${colour}`)
    .join(';');

/** Poor, fair or good, for a score of 0 to 100. */
export const roleOfScore = (score: number): Role => (score >= 60 ? 'good' : score >= 40 ? 'fair' : 'poor');
