// The end that the last page of a Vorbis stream declares, which may lie within a block or before
// the last one.
import { AV_CODEC_ID_VORBIS } from 'node-av/constants';
import type { Frame, Stream } from 'node-av/lib';
import type { Container } from '../../models/contract/containers.ts';

/** The longest padding that can occur: two of the longest blocks. */
const maxPadding = 16_384;

type Write = (frame: Frame, samples: number) => Promise<void>;

/**
 * Holds back the samples past the declared end until it is known whether they are padding. When
 * there are more than padding can have, they belong to the recording and the declaration is wrong.
 */
export class DeclaredEnd {
  readonly #end: number;
  readonly #write: Write;
  readonly #held: Frame[] = [];
  #heldSamples = 0;
  #written = 0;

  /** @param end samples of the stream; Infinity when none are declared */
  constructor(end: number, write: Write) {
    this.#end = end;
    this.#write = write;
  }

  async take(frame: Frame): Promise<void> {
    const fits = this.#written + this.#heldSamples + frame.nbSamples <= this.#end;
    if (fits || this.#written > this.#end) return this.#pass(frame, frame.nbSamples);
    const copy = frame.clone();
    if (!copy) throw new Error('no memory for a frame');
    this.#held.push(copy);
    this.#heldSamples += copy.nbSamples;
    if (this.#written + this.#heldSamples > this.#end + maxPadding) await this.#release(Infinity);
  }

  /** Called at the end of the stream: what was held back is padding from the declared end on. */
  async end(): Promise<void> {
    await this.#release(this.#end - this.#written);
  }

  async #release(samples: number): Promise<void> {
    let left = samples;
    for (const frame of this.#held) {
      const kept = Math.min(left, frame.nbSamples);
      if (kept > 0) await this.#pass(frame, kept);
      left -= kept;
      frame.free();
    }
    this.#held.length = 0;
    this.#heldSamples = 0;
  }

  #pass(frame: Frame, samples: number): Promise<void> {
    this.#written += samples;
    return this.#write(frame, samples);
  }
}

/** In samples; Infinity when the demuxer handles the end itself. */
export function declaredEnd(
  { codecpar, duration, timeBase }: Stream,
  container: Container,
): number {
  const known = container === 'ogg' && codecpar.codecId === AV_CODEC_ID_VORBIS && duration > 0n;
  if (!known) return Infinity;
  return Math.round((Number(duration) * timeBase.num * codecpar.sampleRate) / timeBase.den);
}
