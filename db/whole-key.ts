// Keys of rows in conditions.

/**
 * Kysely leaves out of a condition what is undefined, and a statement without its key would be
 * about every row: an operator may start a workflow by hand whose input lacks it.
 */
export function wholeKey<Key extends object>(key: Key): Key {
  if (Object.values(key).includes(undefined)) throw new TypeError('a row is named incompletely');
  return key;
}
