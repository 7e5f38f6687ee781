// How a job of the inference pool can end badly.

/** The process died or hung in the job: try again, but not for ever. */
export class InferenceProcessDied extends Error {
  override readonly name = 'InferenceProcessDied';
}

/** The job itself threw: the same input would throw again. */
export class InferenceFailed extends Error {
  override readonly name = 'InferenceFailed';
}
