// The rules of redaction in an organization's row.
import type { Redaction } from '../models/contract/redaction.ts';

export interface RedactionColumns {
  readonly redactKinds: readonly string[];
  readonly redactNames: readonly string[];
}

/** null when nothing is removed. */
export function redactionOfColumns(columns: RedactionColumns): Redaction | null {
  const { redactKinds, redactNames: names } = columns;
  if (redactKinds.length === 0 && names.length === 0) return null;
  return { kinds: redactKinds as Redaction['kinds'], names };
}
