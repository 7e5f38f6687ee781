// Text that PostgreSQL can store and that logs can show.

/**
 * Arguments of `refine` for text without control characters. It is not a pattern of the schema,
 * because generators of test cases do not support Unicode properties.
 */
export const plainText = [
  (text: string): boolean => /^\P{Cc}*$/u.test(text),
  'must not contain control characters',
] as const;
