// A recording that is analysed while it arrives, so that its end costs little.
import { defaultChunkOptions } from '../../models/audio/chunk-plan.ts';
import type { Thresholds } from '../../models/affect/select.ts';
import type { InferencePool, Priority } from '../../models/inference/jobs.ts';
import { assembleRecording, type AnalyzedChunk } from '../../models/recording/assemble.ts';
import { planRecording, type PlannedChunk } from '../../models/recording/plan.ts';
import type { RecordingResult } from '../../models/recording/result.ts';
import { stepsOf, type RecordingTask } from '../../models/recording/steps.ts';
import { findSpeechRegions } from '../../models/vad/speech-regions.ts';
import { billableSeconds } from '../../workflows/plan.ts';
import type { FileModel } from '../../workflows/types.ts';
import { analyzeChunk } from '../analyze.ts';

export interface IncrementalOptions {
  readonly pool: InferencePool;
  readonly task: RecordingTask;
  readonly model: FileModel;
  readonly includeLogits: boolean;
  readonly thresholds: Thresholds | null;
}

export interface IncrementalAnalysis {
  /** Takes the next samples, 16 kHz mono PCM16 little-endian. */
  push(data: Uint8Array): void;
  /** Analyses what is left. May be called again after an error. */
  finish(): Promise<RecordingResult>;
  /** Gives up what is under way. */
  abort(): void;
}

const sampleRate = 16_000;
const hopSamples = 512;
/** New samples that are worth a look for speech: half a second. */
const stretchHops = 16;
/** The voice activity model's state settles within a second; these hops are run and thrown away. */
const warmUpHops = 31;
/** Shorter than for files: the last chunk is what the client waits for. */
const chunkOptions = { ...defaultChunkOptions, targetSeconds: 6, maxSeconds: 10 };

export function createIncrementalAnalysis(options: IncrementalOptions): IncrementalAnalysis {
  const { pool, task, model, includeLogits, thresholds } = options;
  const steps = stepsOf({ task, model });
  const aborter = new AbortController();
  const { signal } = aborter;
  const buffer = growingBuffer();
  const probabilities: number[] = [];
  const analyses = new Map<string, Promise<AnalyzedChunk>>();
  let looking: Promise<void> = Promise.resolve();
  let busy = false;

  const plan = (samples: number) => {
    const found = Float32Array.from(probabilities);
    const regions = findSpeechRegions(found);
    const input = { steps, regions, probabilities: found, samples, turns: null, chunkOptions };
    return planRecording(input);
  };

  /** Speech probabilities of the hops that have come since the last look. */
  const look = async (hops: number, job: { readonly priority: Priority }): Promise<void> => {
    const from = Math.max(0, probabilities.length - warmUpHops);
    const pcm = buffer.slice(from * hopSamples, hops * hopSamples);
    const all = await pool.voiceActivity(pcm, { ...job, signal });
    probabilities.push(...all.subarray(probabilities.length - from));
  };

  const analyze = (chunk: PlannedChunk, priority: Priority): Promise<AnalyzedChunk> => {
    const key = `${chunk.startSample}-${chunk.endSample}-${chunk.speech}`;
    const known = analyses.get(key);
    if (known) return known;
    const pcm = buffer.slice(chunk.startSample, chunk.endSample);
    const recording = { task, model };
    const started = analyzeChunk(pool, { recording, chunk, pcm, job: { priority, signal } });
    analyses.set(key, started);
    // A chunk that failed is tried again by `finish`.
    started.catch(() => analyses.delete(key));
    return started;
  };

  /** Chunks that nothing can be added to any more, or that a pause has closed for now. */
  const analyzeClosed = (): void => {
    const { chunks } = plan(buffer.length);
    const heard = probabilities.length * hopSamples;
    chunks.forEach((chunk, i) => {
      if (!chunk.speech) return;
      if (i < chunks.length - 1) void analyze(chunk, 1).catch(() => {});
      else if (chunk.endSample < heard) void analyze(chunk, 3).catch(() => {});
    });
  };

  const lookSoon = (): void => {
    if (busy || signal.aborted) return;
    const hops = Math.floor(buffer.length / hopSamples);
    if (hops - probabilities.length < stretchHops) return;
    busy = true;
    looking = look(hops, { priority: 1 })
      .then(analyzeClosed)
      .catch(() => {})
      .finally(() => {
        busy = false;
        lookSoon();
      });
  };

  return {
    push(data) {
      buffer.append(data);
      lookSoon();
    },
    async finish() {
      while (busy) await looking;
      const samples = buffer.length;
      const hops = Math.ceil(samples / hopSamples);
      if (probabilities.length < hops) await look(hops, { priority: 1 });
      const planned = plan(samples);
      const chunks = await Promise.all(planned.chunks.map((chunk) => analyze(chunk, 1)));
      const indexed = chunks.map((chunk, index) => ({ ...chunk, index }));
      const assembled = assembleRecording({
        steps,
        includeLogits,
        thresholds,
        plan: planned,
        chunks: indexed,
        durationSeconds: samples / sampleRate,
      });
      const billable = billableSeconds(samples, sampleRate);
      return {
        version: 2,
        sourceSamples: samples,
        sourceRate: sampleRate,
        billableSeconds: billable,
        ...assembled,
      };
    },
    abort: () => aborter.abort(new Error('the stream ended')),
  };
}

/** Samples in one array that doubles as it fills. */
function growingBuffer() {
  let samples = new Int16Array(4 * sampleRate);
  let length = 0;
  return {
    get length(): number {
      return length;
    },
    append(data: Uint8Array): void {
      const count = data.length / 2;
      if (length + count > samples.length) {
        const larger = new Int16Array(2 * (length + count));
        larger.set(samples.subarray(0, length));
        samples = larger;
      }
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      for (let i = 0; i < count; i += 1) samples[length + i] = view.getInt16(2 * i, true);
      length += count;
    },
    /** A copy; what lies past the end is left out. */
    slice: (from: number, to: number): Int16Array => samples.slice(from, Math.min(to, length)),
  };
}
