// Where a recording begins in the time of the element that plays it, when its container's time
// does not begin at 0: Chromium shows that time, Firefox counts from the first sample.

/** Less is not heard, and no reason to ask. */
const leastSeconds = 0.1;

/**
 * @param {HTMLMediaElement} sound whose metadata are there; its position is lost
 * @param {object} recording
 * @param {number} recording.startSeconds where it begins in its container's time
 * @param {number} recording.duration seconds
 * @param {boolean} recording.isOgg
 * @returns {Promise<(seconds: number) => number>} the element's time of the recording's beginning,
 * while it plays from a moment of the recording on
 */
export async function originsOf(sound, { startSeconds, duration, isOgg }) {
  if (startSeconds < leastSeconds) return () => 0;
  if ((await firstTime(sound)) > startSeconds / 2) return () => startSeconds;
  // Chromium counts the Vorbis of an Ogg from 0 if it plays from the beginning on, but seeks in the
  // container's time; what is before that leads to the beginning, from which it counts exactly.
  const hasBoth = isOgg && sound.duration - duration > startSeconds / 2;
  return (seconds) => (hasBoth && seconds >= startSeconds ? startSeconds : 0);
}

/** What the element makes of 0. */
async function firstTime(sound) {
  if (sound.seekable.length === 0) return 0;
  const sought = new Promise((resolve) => {
    for (const name of ['seeked', 'error']) sound.addEventListener(name, resolve, { once: true });
  });
  sound.currentTime = 0;
  await sought;
  return sound.currentTime;
}
