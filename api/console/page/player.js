// The sound of a recording over its waveform: position, speed, seeking.
import { originsOf } from './sound-origin.js';
import WaveSurfer from './wavesurfer.js';

const waveHeight = 88;
const silenceMargin = 0.1;

/**
 * Draws the stored outline, so that nothing has to be decoded before the page can be used.
 * @param {object} options
 * @param {HTMLElement} options.place
 * @param {readonly number[]} options.peaks 0-1
 * @param {number} options.duration seconds
 * @param {number} [options.startSeconds] where the recording begins in its container's time
 * @param {(seconds: number) => void} options.moved called whenever the position has changed
 * @param {(isPlaying: boolean) => void} options.played
 */
export function createPlayer({ place, peaks, duration, startSeconds = 0, moved, played }) {
  const sound = new Audio();
  const wave = drawWave(place, { peaks, duration });
  let hasSound = false;
  /** Where the recording begins in the time of the element. */
  let origin = 0;
  let originAt = () => 0;
  let position = 0;
  let silenced = [];
  const move = (seconds) => {
    position = Math.min(duration, Math.max(0, seconds));
    wave.setTime(position);
    moved(position);
  };
  const placeSound = () => {
    origin = originAt(position);
    sound.currentTime = origin + position;
  };
  const seek = (seconds) => {
    move(seconds);
    if (hasSound) placeSound();
  };
  // It is drawn later than this, and only then knows its length.
  wave.on('ready', () => wave.setTime(position));
  // The element's own event comes four times a second, too rarely for words.
  const follow = () => {
    if (sound.paused) return;
    const now = sound.currentTime - origin;
    sound.muted = silenced.some(({ start, end }) => start <= now && now < end);
    move(now);
    requestAnimationFrame(follow);
  };
  sound.addEventListener('play', () => {
    played(true);
    follow();
  });
  sound.addEventListener('pause', () => played(false));
  // A page that is not seen is not told of each frame, and could not silence anything.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && silenced.length > 0) sound.pause();
  });
  return {
    position: () => position,
    seek,
    toggle() {
      // By itself it would begin again at an origin of its own.
      if (sound.ended) seek(0);
      return sound.paused ? sound.play() : sound.pause();
    },
    setRate: (rate) => {
      sound.playbackRate = rate;
    },
    /** What is not to be heard, in seconds, with a margin for a frame that comes late. */
    silence(stretches) {
      silenced = stretches.map(({ start, end }) => ({
        start: start - silenceMargin,
        end: end + silenceMargin,
      }));
      sound.muted = false;
    },
    /** @returns false when the browser cannot play the format */
    async load(blob) {
      const ready = new Promise((resolve) => {
        sound.addEventListener('loadedmetadata', () => resolve(true), { once: true });
        sound.addEventListener('error', () => resolve(false), { once: true });
      });
      sound.src = URL.createObjectURL(blob);
      if (!(await ready)) return false;
      const isOgg = blob.type.endsWith('/ogg');
      originAt = await originsOf(sound, { startSeconds, duration, isOgg });
      hasSound = true;
      placeSound();
      return true;
    },
  };
}

/** It has no sound of its own: an element's time may not be the recording's. */
function drawWave(place, { peaks, duration }) {
  const style = getComputedStyle(document.documentElement);
  return WaveSurfer.create({
    container: place,
    height: waveHeight,
    interact: false,
    cursorWidth: 0,
    normalize: true,
    waveColor: style.getPropertyValue('--wave-drawn').trim() || '#6b87ab',
    progressColor: '#2f6fe0',
    peaks: [peaks.length > 0 ? peaks : [0]],
    duration,
    cspNonce: document.querySelector('script[nonce]').nonce,
  });
}
