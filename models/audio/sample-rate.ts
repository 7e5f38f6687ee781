// The rate at which recordings are decoded, streamed and analysed.

/** Samples a second, of one channel. */
export const sampleRate = 16_000;
