// The audio of a Realtime session: base64 of PCM16 at 24 kHz or G.711 at 8 kHz, to 16 kHz PCM16.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createResampler } from '../../models/audio/resample.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { decodeWavBlock, type WavEncoding, type WavFormat } from '../../models/audio/wav.ts';
import { toPcm16 } from '../../models/audio/waveform.ts';

export type InputFormat = 'pcm16' | 'g711_ulaw' | 'g711_alaw';

export interface AudioInput {
  /**
   * As many samples at 16 kHz as these bytes last. They are late by the filter's delay of a few
   * milliseconds, which is silence at first and never flushed: what follows in the session is the
   * same sound, whatever turn it is in. What lasts longer than a second takes a turn of the event
   * loop for each: a promise, which must settle before the next call.
   * @throws TypeError for bytes that are no whole samples, at once
   */
  decode(bytes: Uint8Array): Int16Array | Promise<Int16Array>;
}

const encodings: Readonly<Record<InputFormat, { encoding: WavEncoding; sampleBytes: number }>> = {
  pcm16: { encoding: 'pcm', sampleBytes: 2 },
  g711_ulaw: { encoding: 'mulaw', sampleBytes: 1 },
  g711_alaw: { encoding: 'alaw', sampleBytes: 1 },
};

export function createAudioInput(format: InputFormat): AudioInput {
  const { encoding, sampleBytes } = encodings[format];
  const rate = format === 'pcm16' ? 24_000 : 8_000;
  const wav: WavFormat = {
    ...{ encoding, channels: 1, sampleRate: rate, bitsPerSample: 8 * sampleBytes },
    ...{ blockAlign: sampleBytes, dataOffset: 0, dataBytes: null },
  };
  const resampler = createResampler(rate);
  resampler.convert(new Float32Array(resampler.delaySamples));
  const convert = (bytes: Uint8Array): Int16Array =>
    toPcm16(resampler.convert(decodeWavBlock(bytes, wav)));
  const secondBytes = rate * sampleBytes;
  const convertInSlices = async (bytes: Uint8Array): Promise<Int16Array> => {
    const slices: Int16Array[] = [];
    for (let at = 0; at < bytes.length; at += secondBytes) {
      await nextTurn();
      slices.push(convert(bytes.subarray(at, at + secondBytes)));
    }
    return joinSamples(slices);
  };
  return {
    decode(bytes) {
      if (bytes.length % sampleBytes !== 0) {
        throw new TypeError(`${format} has ${sampleBytes} bytes a sample, got ${bytes.length}`);
      }
      return bytes.length > secondBytes ? convertInSlices(bytes) : convert(bytes);
    },
  };
}

const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;

/** null for text that is not base64. */
export function decodeBase64(text: string): Uint8Array | null {
  return text.length % 4 === 0 && base64Pattern.test(text) ? Buffer.from(text, 'base64') : null;
}
