// One thing that set-up sees to, and what it did about it.

export interface Step {
  /** `made` and `changed` now, `there` before; `skipped`: the server cannot, or nobody asks. */
  readonly outcome: 'made' | 'changed' | 'there' | 'skipped';
  readonly what: string;
}

/** @param isNew whether it was made now */
export function madeOrThere(isNew: boolean, what: string): Step {
  return { outcome: isNew ? 'made' : 'there', what };
}
