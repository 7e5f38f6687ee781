// Measures a recording in blocks of one length, however its samples arrive.
import type { SampleCollector } from './samples.ts';

export interface BlockMeasure<T> {
  /** Takes samples of one block. */
  readonly take: (pcm: Int16Array, from: number, to: number) => void;
  /** The block is complete, or the recording ends in it. @param samples that it has, at least 1 */
  readonly close: (samples: number) => void;
  /** What all blocks came to. */
  readonly result: () => T;
}

export function collectBlocks<T>(
  blockSamples: number,
  { take, close, result }: BlockMeasure<T>,
): SampleCollector<T> {
  let filled = 0;
  const closeBlock = (): void => {
    close(filled);
    filled = 0;
  };
  return {
    add(pcm) {
      for (let from = 0; from < pcm.length;) {
        const to = Math.min(pcm.length, from + blockSamples - filled);
        take(pcm, from, to);
        filled += to - from;
        from = to;
        if (filled === blockSamples) closeBlock();
      }
    },
    end() {
      if (filled > 0) closeBlock();
      return result();
    },
  };
}
