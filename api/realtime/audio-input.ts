// The audio of a Realtime session: base64 of PCM16 at 24 kHz or G.711 at 8 kHz, to 16 kHz PCM16.
import { createResampler } from '../../models/audio/resample.ts';
import { decodeWavBlock, type WavEncoding, type WavFormat } from '../../models/audio/wav.ts';
import { toPcm16 } from '../../models/audio/waveform.ts';

export type InputFormat = 'pcm16' | 'g711_ulaw' | 'g711_alaw';

export interface AudioInput {
  /**
   * As many samples at 16 kHz as these bytes last. They are late by the filter's delay of a few
   * milliseconds, which is silence at first and never flushed: what follows in the session is the
   * same sound, whatever turn it is in.
   * @throws TypeError for bytes that are no whole samples
   */
  decode(bytes: Uint8Array): Int16Array;
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
  return {
    decode(bytes) {
      if (bytes.length % sampleBytes !== 0) {
        throw new TypeError(`${format} has ${sampleBytes} bytes a sample, got ${bytes.length}`);
      }
      return toPcm16(resampler.convert(decodeWavBlock(bytes, wav)));
    },
  };
}

const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;

/** null for text that is not base64. */
export function decodeBase64(text: string): Uint8Array | null {
  return text.length % 4 === 0 && base64Pattern.test(text) ? Buffer.from(text, 'base64') : null;
}
