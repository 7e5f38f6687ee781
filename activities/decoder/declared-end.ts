// The end that the last page of a Vorbis stream declares, which may lie within a block or before
// the last one.
import { AV_CODEC_ID_VORBIS, AV_NOPTS_VALUE } from 'node-av/constants';
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

/**
 * In samples from the first frame: the first packet gives no sound and lies before it where time
 * does not begin at 0, and a stream that was cut within a page begins before 0, where players play
 * it from; Infinity when the demuxer handles the end itself.
 * @param firstTicks time of the first frame
 */
export function declaredEnd(stream: Stream, container: Container, firstTicks: bigint): number {
  if (!declaresEnd(stream, container)) return Infinity;
  const { codecpar, startTime, duration, timeBase } = stream;
  const known = firstTicks !== AV_NOPTS_VALUE;
  const isElsewhere = known && (startTime > 0n || firstTicks < 0n);
  const ticks = duration - (isElsewhere ? firstTicks - startTime : 0n);
  return Math.round((Number(ticks) * timeBase.num * codecpar.sampleRate) / timeBase.den);
}

/** Whether the container says at which sample the stream ends: of Vorbis in Ogg alone. */
export function declaresEnd({ codecpar, duration }: Stream, container: Container): boolean {
  return container === 'ogg' && codecpar.codecId === AV_CODEC_ID_VORBIS && duration > 0n;
}
