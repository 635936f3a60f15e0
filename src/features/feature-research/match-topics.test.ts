import { describe, expect, it } from 'vitest';
import { matchTopics } from './match-topics.ts';

const mainTopic = (name: string, description = ''): string | undefined => matchTopics({ name, description })[0]?.topic.id;

describe('matchTopics', () => {
  it.each([
    ['Receipt scanning', 'ocr'],
    ['Sign in with Google', 'social-login'],
    ['Bank account sync', 'bank-feeds'],
    ['Works offline', 'offline-sync'],
    ['Streak counting', 'gamification'],
    ['Video consultations', 'video-calls'],
    ['Route planning', 'routing'],
    ['Barcode scanning', 'barcodes'],
    ['Two-way calendar sync', 'calendar-sync'],
    ['Split payments to sellers', 'marketplace-payouts'],
    ['Audit trail', 'audit-log'],
    ['Web clipper', 'browser-extension'],
    ['Self-hosting', 'self-hosting'],
  ])('%s comes down to %s', (name, topic) => {
    expect(mainTopic(name)).toBe(topic);
  });

  it('understands a name in another language', () => {
    expect(mainTopic('Zahlung mit Karte')).toBe('payments');
  });

  it('finds several topics where a name speaks of several', () => {
    expect(matchTopics({ name: 'Shared household budget' }).map(({ topic }) => topic.id)).toEqual(expect.arrayContaining(['teams', 'budgeting']));
  });

  it('takes what stands before a preposition for the thing, and what stands behind it for where it belongs', () => {
    expect(mainTopic('Deposits at booking')).toBe('payments');
    expect(mainTopic('Booking with deposits')).toBe('booking');
  });

  it('leaves out a further topic that explains no further word', () => {
    expect(matchTopics({ name: 'Text message reminders' }).map(({ topic }) => topic.id)).toEqual(['sms-messaging', 'reminders']);
  });

  it('knows nothing rather than something for what no topic covers', () => {
    expect(matchTopics({ name: 'Fertile window' })).toEqual([]);
    expect(matchTopics({ name: 'Xyzzy plugh' })).toEqual([]);
    expect(matchTopics({ name: '' })).toEqual([]);
  });

  it.each([
    ['Sound sensors', 'Microphones in the hive tell swarming from its normal hum.', 'media-streaming'],
    ['Island board', 'An island is laid out of tiles on a board that the players explore.', 'tasks-boards'],
    ['Partner points', 'Places that hand out the parcels of a club.', 'gamification'],
    ['Safety checks', 'Finds statements that would lock a large table before a migration runs.', 'moderation'],
  ])('%s is no pun on another thing', (name, description, pun) => {
    expect(matchTopics({ name, description }).map(({ topic }) => topic.id)).not.toContain(pun);
  });

  it.each(['Hive inspection', 'Load cell', 'Day and night cycle', 'Crafting', 'Lock detection', 'Stage lighting'])('knows nothing of %s', (name) => {
    expect(matchTopics({ name })).toEqual([]);
  });

  it('does not take a description alone for the feature', () => {
    expect(mainTopic('Fertile window', 'Shown in a calendar.')).toBeUndefined();
  });
});
