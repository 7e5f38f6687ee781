// The microphone as frames of PCM16 at 16 kHz; what keeps it from being heard, in words.

export const sampleRate = 16_000;

/** Messages of the browser's own reasons. */
const reasons = {
  NotAllowedError:
    'The browser does not allow this page to use the microphone. Allow it beside the address, then start again.',
  NotFoundError: 'There is no microphone.',
  NotReadableError: 'Another program is using the microphone.',
};

/**
 * @param {(frame: Int16Array, peak: number) => void} hear called with 40 ms of sound each
 * @returns {Promise<() => void>} stops it
 */
export async function openMicrophone(hear) {
  if (!navigator.mediaDevices) {
    throw new Error('Browsers give the microphone to pages at https or localhost only.');
  }
  const media = await navigator.mediaDevices
    .getUserMedia({ audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true } })
    .catch((error) => {
      throw new Error(reasons[error.name] ?? `The microphone cannot be used: ${error.message}`);
    });
  const context = new AudioContext({ sampleRate });
  let isOpen = true;
  const stop = () => {
    // Frames that a busy page has not been given yet would follow the end of the recording.
    isOpen = false;
    for (const track of media.getTracks()) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(new URL('./capture-worklet.js', import.meta.url));
    const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 });
    capture.port.onmessage = ({ data }) => {
      if (isOpen) hear(data.frame, data.peak);
    };
    context.createMediaStreamSource(media).connect(capture);
    await context.resume();
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

/** A WAV file of the frames. */
export function toWav(frames) {
  const bytes = 2 * frames.reduce((sum, { length }) => sum + length, 0);
  const head = new DataView(new ArrayBuffer(44));
  const text = (offset, letters) => {
    [...letters].forEach((letter, i) => head.setUint8(offset + i, letter.charCodeAt(0)));
  };
  text(0, 'RIFF');
  head.setUint32(4, 36 + bytes, true);
  text(8, 'WAVEfmt ');
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, sampleRate, true);
  head.setUint32(28, 2 * sampleRate, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  text(36, 'data');
  head.setUint32(40, bytes, true);
  return new Blob([head, ...frames], { type: 'audio/wav' });
}
