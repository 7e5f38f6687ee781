// The last samples of a session of any length: blocks at their positions since it began.
import { joinSamples } from '../../models/audio/samples.ts';

export interface SampleWindow {
  /** Position behind the last sample. */
  readonly end: number;
  append(pcm: Int16Array): void;
  /** The samples of a span, as far as they are kept. */
  slice(startSample: number, endSample: number): Int16Array;
  /** Frees whole blocks before a position. */
  forget(beforeSample: number): void;
}

export function createSampleWindow(): SampleWindow {
  let blocks: { readonly start: number; readonly pcm: Int16Array }[] = [];
  let end = 0;
  return {
    get end() {
      return end;
    },
    append(pcm) {
      if (pcm.length > 0) blocks.push({ start: end, pcm });
      end += pcm.length;
    },
    slice: (startSample, endSample) =>
      joinSamples(
        blocks.map(({ start, pcm }) =>
          pcm.subarray(Math.max(0, startSample - start), Math.max(0, endSample - start)),
        ),
      ),
    forget(beforeSample) {
      blocks = blocks.filter(({ start, pcm }) => start + pcm.length > beforeSample);
    },
  };
}
