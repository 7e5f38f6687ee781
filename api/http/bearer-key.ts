// The key that a request carries as a bearer token (RFC 6750).

/** @param authorization value of the header; @returns null without a bearer token */
export function bearerKey(authorization: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
