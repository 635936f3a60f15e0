import { mapOf } from '#lib/map-of.ts';
import { collapseSpaces } from '#lib/text.ts';
import { capital, withArticle, type Noun } from './words.ts';

/** What stands in the places of a pattern's texts: whom and what the idea is about, and what one feature is about. */
export type Slots = { user: Noun; object: Noun; thing: Noun };

/** Fills `{users}`, `{object}`, `{a_thing}` …; a place with a capital (`{Things}`) begins with one, and so does the text. */
export function fill(text: string, { user, object, thing }: Slots): string {
  const values = mapOf<string>({
    user: user.one,
    users: user.many,
    a_user: withArticle(user.one),
    object: object.one,
    objects: object.many,
    an_object: withArticle(object.one),
    thing: thing.one,
    things: thing.many,
    a_thing: withArticle(thing.one),
  });
  const filled = text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values.get(name.toLowerCase());
    if (value === undefined) return place;
    return name.startsWith(name.charAt(0).toLowerCase()) ? value : capital(value);
  });
  return capital(collapseSpaces(filled));
}

/** The places a text may hold. */
export const SLOT_NAMES: ReadonlySet<string> = new Set(['user', 'users', 'a_user', 'object', 'objects', 'an_object', 'thing', 'things', 'a_thing']);
