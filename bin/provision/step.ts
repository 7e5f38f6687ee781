// One step of set-up and its outcome.

export interface Step {
  /**
   * `skipped` when the server does not support the step, or the settings do not request it; `newer`
   * when a newer version has done it its own way.
   */
  readonly outcome: 'created' | 'changed' | 'exists' | 'skipped' | 'newer';
  readonly what: string;
}

/** @param isNew whether the step created it */
export function createdOrExisting(isNew: boolean, what: string): Step {
  return { outcome: isNew ? 'created' : 'exists', what };
}
