// What counts as a clip.

/** A recording up to this long is analysed in one step; the samples of a longer one are stored. */
export const clipSeconds = 30;
