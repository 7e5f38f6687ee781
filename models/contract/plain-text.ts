// Text that PostgreSQL can store, as jsonb too, and that logs can show; pure.

/** Without control characters and halves of characters: JSON can spell both. */
export function isPlainText(text: string): boolean {
  return /^[^\p{Cc}\p{Cs}]*$/u.test(text);
}

/** What a caller reads of any other text, after the name of the field. */
export const plainTextRule = 'must not contain control characters or unpaired surrogates';
