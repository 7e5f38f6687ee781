// How a job of the inference pool can end badly.

/** The process died or hung in the job, and so did the one that tried it again. */
export class InferenceProcessDied extends Error {
  override readonly name = 'InferenceProcessDied';
  /** It was this job's turn when it died. */
  readonly suspect: boolean;

  constructor(reason: string, options: { readonly suspect: boolean }) {
    super(`the inference process ended (${reason})`);
    this.suspect = options.suspect;
  }
}

/** The job itself threw: the same input would throw again. */
export class InferenceFailed extends Error {
  override readonly name = 'InferenceFailed';
}

/** The worker is being stopped: another one may do the job. */
export class InferencePoolClosed extends Error {
  override readonly name = 'InferencePoolClosed';
}
