// What counts as a clip.

/**
 * A recording up to this long is analysed in one step; the samples of a longer one are stored. A
 * second more than the longest recording of the models that score fixed windows, whose every
 * recording is a clip.
 */
export const clipSeconds = 121;
/**
 * One up to this long always is; of longer ones a worker has only so many in that step that all can
 * be analysed before its time is over, and stores the others.
 */
export const shortClipSeconds = 30;
/** The same for the items of a batch, whose step tells Temporal that it goes on. */
export const batchClipSeconds = 300;
