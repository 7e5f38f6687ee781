// Speech probabilities of a recording while it is decoded, in segments that run in parallel.
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { joinSamples, withSilence } from '../audio/samples.ts';
import { hopSamples, tailHops, warmUpHops } from '../vad/hops.ts';
import { gridSamples, gridStart } from '../vad/sound-grid.ts';
import { withQuietTail } from '../vad/quiet-tail.ts';
import { heardAfter, nothingHeard } from '../vad/steady-level.ts';

/** One job, as long as what says where hops begin: efficient, and short enough beside others. */
const segmentHops = gridSamples / hopSamples;

export interface VoiceActivityStream {
  /** Takes the next samples; waits while too many segments are in progress. */
  write(pcm: Int16Array): Promise<void>;
  /** One probability per hop of the whole recording, and of the silence behind it. */
  end(): Promise<Float32Array>;
}

/**
 * Cuts the samples into segments of 60 s that overlap by the warm-up. Blocks are joined once, when
 * their segment is complete: joining each of an hour with what is pending copies a gigabyte, and
 * collecting that garbage costs more than all else that the hour costs this process.
 * @param options asRecorded: the level is left as it is, and hops begin with the first sample
 */
export function streamVoiceActivity(
  pool: Pick<InferencePool, 'size' | 'voiceActivity'>,
  job: JobOptions,
  { asRecorded = false } = {},
): VoiceActivityStream {
  /** Of the first segment, until it is complete: it says where hops begin (`gridStart`). */
  let first: Int16Array[] | null = [];
  let pending: Int16Array[] = [];
  let length = 0;
  let written = 0;
  /** Silence before it. */
  let before = 0;
  let heard = nothingHeard;
  const results: Promise<Float32Array>[] = [];

  const start = (pcm: Int16Array): void => {
    const probabilities = pool
      .voiceActivity(pcm, { ...job, heard: asRecorded ? null : heard })
      .then((all) => all.subarray(warmUpHops));
    // Reported by `end`; until then a rejection must not count as unhandled.
    probabilities.catch(() => {});
    results.push(probabilities);
  };

  const hear = async (pcm: Int16Array): Promise<void> => {
    for (let offset = 0; offset < pcm.length;) {
      const missing = (warmUpHops + segmentHops) * hopSamples - length;
      const taken = pcm.subarray(offset, offset + missing);
      pending.push(taken);
      length += taken.length;
      offset += taken.length;
      if (taken.length < missing) return;
      const segment = joinSamples(pending);
      start(segment);
      const settled = segment.length - warmUpHops * hopSamples;
      heard = heardAfter(segment.subarray(0, settled), heard);
      pending = [segment.slice(settled)];
      length = warmUpHops * hopSamples;
      await results.at(-1 - pool.size);
    }
  };

  const hearFirst = (blocks: readonly Int16Array[]): Promise<void> => {
    const pcm = joinSamples(blocks);
    first = null;
    before = warmUpHops * hopSamples - (asRecorded ? 0 : gridStart(pcm));
    return hear(withSilence(pcm, { before }));
  };

  return {
    async write(pcm) {
      written += pcm.length;
      if (!first) return hear(pcm);
      first.push(pcm);
      if (written >= gridSamples) await hearFirst(first);
    },
    async end() {
      if (written === 0) return new Float32Array(0);
      if (first) await hearFirst(first);
      const hops = Math.ceil(written / hopSamples);
      const all = (warmUpHops + hops + tailHops) * hopSamples;
      start(joinSamples([...pending, new Int16Array(all - before - written)]));
      const parts = await Promise.all(results);
      const probabilities = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
      let offset = 0;
      for (const part of parts) {
        probabilities.set(part, offset);
        offset += part.length;
      }
      return withQuietTail(probabilities, hops);
    },
  };
}

/** @param pcm all samples, 16 kHz mono @returns one probability per hop, and those behind */
export async function speechProbabilities(
  pool: Pick<InferencePool, 'size' | 'voiceActivity'>,
  pcm: Int16Array,
  job: JobOptions,
): Promise<Float32Array> {
  const stream = streamVoiceActivity(pool, job);
  await stream.write(pcm);
  return stream.end();
}
