// A recording that is analysed while it arrives, so that its end costs little.
import { sampleRate } from '../audio/sample-rate.ts';
import { defaultChunkOptions } from './chunk-plan.ts';
import type { Thresholds } from '../affect/select.ts';
import type { InferencePool } from '../inference/jobs.ts';
import { assembleRecording, type AnalyzedChunk } from './assemble.ts';
import { planRecording, type PlannedChunk, type RecordingPlan } from './plan.ts';
import type { RecordingResult } from './result.ts';
import { stepsOf, type RecordingTask } from '../contract/tasks.ts';
import { findSpeechRegions } from '../vad/speech-regions.ts';
import { billableSeconds } from '../../workflows/plan.ts';
import type { FileModel } from '../../workflows/types.ts';
import { analyzeChunk } from './analyze-chunks.ts';
import { createSampleBuffer } from './sample-buffer.ts';
import { createSpeechWatch } from './speech-watch.ts';

export interface IncrementalOptions {
  readonly pool: InferencePool;
  readonly organizationId: string;
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

/** Shorter than for files: the last chunk is what the client waits for. */
const chunkOptions = { ...defaultChunkOptions, targetSeconds: 9, maxSeconds: 12 };

export function createIncrementalAnalysis(options: IncrementalOptions): IncrementalAnalysis {
  const { pool, organizationId, task, model, includeLogits, thresholds } = options;
  const steps = stepsOf({ task, model });
  const aborter = new AbortController();
  const { signal } = aborter;
  const job = { organizationId, priority: 1, signal } as const;
  const buffer = createSampleBuffer();
  const speech = createSpeechWatch(pool, buffer, job);
  const analyses = new Map<string, Promise<AnalyzedChunk>>();

  const plan = (samples: number): RecordingPlan => {
    const probabilities = speech.probabilities();
    const regions = findSpeechRegions(probabilities);
    return planRecording({ steps, regions, probabilities, samples, turns: null, chunkOptions });
  };

  const analyze = (chunk: PlannedChunk): Promise<AnalyzedChunk> => {
    const key = `${chunk.startSample}-${chunk.endSample}`;
    const known = analyses.get(key);
    if (known) return known;
    const pcm = buffer.slice(chunk.startSample, chunk.endSample);
    const recording = { task, model };
    const started = analyzeChunk(pool, { recording, chunk, pcm, job });
    analyses.set(key, started);
    // A chunk that failed is tried again by `finish`.
    started.catch(() => analyses.delete(key));
    return started;
  };

  /** Chunks that nothing can be added to any more, or that a pause has closed for now. */
  const analyzeClosed = (heardSamples: number): void => {
    const { chunks } = plan(buffer.length);
    chunks.forEach((chunk, i) => {
      const last = i === chunks.length - 1;
      // Speech may go on after the pause: worth a try only where nobody else has to wait for it.
      const paused = chunk.endSample < heardSamples && pool.idle();
      if (!last || paused) analyze(chunk).catch(() => {});
    });
  };

  return {
    push(data) {
      buffer.append(data);
      speech.lookSoon(analyzeClosed);
    },
    async finish() {
      await speech.lookAtAll();
      const samples = buffer.length;
      const planned = plan(samples);
      const chunks = await Promise.all(planned.chunks.map(analyze));
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
