// What is kept of a file: its name, and for how long at most; pure.

/** Retention of files and results. */
export const maxLifetimeSeconds = 30 * 24 * 3_600;

const maxFilenameLength = 255;

/** Without control characters or half a character; `recording` when nothing is left. */
export function storedFilename(name: string): string {
  const cut = name.replaceAll(/\p{Cc}/gu, '').slice(0, maxFilenameLength);
  return cut.replaceAll(/\p{Cs}/gu, '') || 'recording';
}
