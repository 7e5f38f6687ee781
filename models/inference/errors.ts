// The ways in which a job of the inference pool fails.

/** The process died or hung while it ran the job, and so did the one that tried it again. */
export class InferenceProcessDied extends Error {
  override readonly name = 'InferenceProcessDied';
  /** This job had the core when the process died. */
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

/** The worker is shutting down; another one may run the job. */
export class InferencePoolClosed extends Error {
  override readonly name = 'InferencePoolClosed';
}
