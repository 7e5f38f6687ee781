// Speech probabilities of a recording while it is decoded, in segments that run in parallel.
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { joinSamples } from '../audio/samples.ts';
import { hopSamples, tailHops, warmUpHops } from '../vad/hops.ts';
import { withQuietTail } from '../vad/quiet-tail.ts';
import { heardAfter, nothingHeard } from '../vad/steady-level.ts';

/** One job: long enough to be efficient, short enough to run beside others. */
const segmentHops = 1_875;

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
 * @param options asRecorded: the level is left as it is
 */
export function streamVoiceActivity(
  pool: Pick<InferencePool, 'size' | 'voiceActivity'>,
  job: JobOptions,
  { asRecorded = false } = {},
): VoiceActivityStream {
  let pending: Int16Array[] = [new Int16Array(warmUpHops * hopSamples)];
  let length = warmUpHops * hopSamples;
  let written = 0;
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

  return {
    async write(pcm) {
      written += pcm.length;
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
    },
    async end() {
      if (written === 0) return new Float32Array(0);
      const hops = Math.ceil(written / hopSamples);
      start(joinSamples([...pending, new Int16Array((hops + tailHops) * hopSamples - written)]));
      const parts = await Promise.all(results);
      const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
      let offset = 0;
      for (const part of parts) {
        all.set(part, offset);
        offset += part.length;
      }
      return withQuietTail(all, hops);
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
