const TOPICS = [
  'A shared grocery list that learns what a household runs out of',
  'A habit tracking app with streaks and reminders',
  'Appointment booking for independent hair salons',
  'Invoicing software for freelancers who work in several currencies',
  'Meal planning software that writes a grocery list',
  'Feature flags for mobile apps with gradual rollouts',
  'Password manager for families with shared vaults',
];

/** An idea of a well known market, in words of its own: its number stands in it. */
export const ideaOf = (number: number): string => `${TOPICS[number % TOPICS.length]} (number ${number})`;

/** The number of the idea that a text speaks of; null when it speaks of none. */
export function numberIn(text: string): number | null {
  const found = /\(number (\d+)\)/.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}
