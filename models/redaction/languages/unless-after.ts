/**
 * A pattern that is no announcement right behind other words: "il compte".
 * @param before pattern of whole words
 */
export function unlessAfter(before: string, pattern: string): string {
  return `(?<!(?<![\\p{L}\\p{N}])(?:${before}) )(?:${pattern})`;
}
