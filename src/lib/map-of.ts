/** The entries of a record as a map. A record also answers to what all objects have ("constructor"); a map does not. */
export const mapOf = <T>(record: Readonly<Record<string, T>>): ReadonlyMap<string, T> => new Map(Object.entries(record));
