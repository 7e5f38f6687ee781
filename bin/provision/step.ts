// One step of set-up and its outcome.

export interface Step {
  /** `skipped` when the server does not support the step, or the settings do not request it. */
  readonly outcome: 'created' | 'changed' | 'exists' | 'skipped';
  readonly what: string;
}

/** @param isNew whether the step created it */
export function createdOrExisting(isNew: boolean, what: string): Step {
  return { outcome: isNew ? 'created' : 'exists', what };
}
