// When another server wants to be asked again.

/**
 * @param header `Retry-After` of an answer: seconds, or a date (RFC 9110, 10.2.3)
 * @returns 0 or more; null without one that can be read
 */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  // Other than this form `Date.parse` reads much that is no date of HTTP.
  const atMs = header.endsWith(' GMT') ? Date.parse(header) : NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}
