// The outline of a waveform: the peak of each of a number of equal parts; pure.
import { collectBlocks } from './collect-blocks.ts';
import { fullScale, type SampleCollector } from './samples.ts';

/** The width of the report's waveform. */
const reportColumns = 1_000;
/** Peaks are kept per 10 ms: an hour needs 3 MB, and the length need not be known in advance. */
const blockSamples = 160;

/** Values of 0-1 for `columns` equal parts of the recording. */
export function collectPeaks(columns = reportColumns): SampleCollector<readonly number[]> {
  const blocks: number[] = [];
  let peak = 0;
  return collectBlocks(blockSamples, {
    take: (pcm, from, to) => (peak = Math.max(peak, loudest(pcm, from, to))),
    close: () => {
      blocks.push(peak / fullScale);
      peak = 0;
    },
    result: () => summarize(blocks, columns),
  });
}

/** The highest of the blocks of each column. */
function summarize(blocks: readonly number[], columns: number): readonly number[] {
  return Array.from({ length: blocks.length === 0 ? 0 : columns }, (_, column) => {
    const from = Math.floor((column * blocks.length) / columns);
    const to = Math.max(from + 1, Math.floor(((column + 1) * blocks.length) / columns));
    return blocks.slice(from, to).reduce((max, value) => Math.max(max, value), 0);
  });
}

function loudest(pcm: Int16Array, from: number, to: number): number {
  let peak = 0;
  for (let i = from; i < to; i += 1) peak = Math.max(peak, Math.abs(pcm[i]!));
  return peak;
}
