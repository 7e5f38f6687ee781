// An inference process: it loads the models, then runs jobs; concurrent jobs share the core in
// slices.
import { getPriority, setPriority } from 'node:os';
import { setImmediate as nextTick } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { samplesOf } from '../audio/samples.ts';
import { toFloat } from '../audio/waveform.ts';
import { createCoreScheduler } from '../fairness/core-scheduler.ts';
import { parseAssignments } from '../bundles/assignments.ts';
import { openModelStore } from '../bundles/store.ts';
import { openParentChannel } from '../sandbox/channel.ts';
import { returnFreedMemory } from '../memory/return-freed.ts';
import { freeNumbers } from '../onnx/free-tensors.ts';
import { usePackedWeights } from '../onnx/packed-weights.ts';
import { withSpareCore } from '../onnx/spare-core.ts';
import { withYieldPoints } from '../onnx/yield-points.ts';
import { atSteadyLevel, type HeardLevel } from '../vad/steady-level.ts';
import { analyzeChunks } from './analyze-chunks.ts';
import type { ChunkAnalysis } from './jobs.ts';
import { shortJobMs } from './job-cost.ts';
import { pronounceWords } from './pronounce-words.ts';
import { loadModels, type DiarizationModels } from './loaded-models.ts';
import type { ChildMessage, Job, JobMessage, JobTimes } from './messages.ts';

/** A longer job keeps another one waiting for this long, and for the session run that it is in. */
const sliceMs = 100;
/**
 * Messages of the parent are read this often: reading before each of many short steps costs 2 %.
 */
const readMs = 20;

async function perform(samples: Float32Array, job: Job, usedMs: () => number): Promise<unknown> {
  switch (job.kind) {
    case 'voiceActivity':
      return detectSpeech(samples, job.heard);
    case 'analyze': {
      const analyses = await analyzeChunks(models, samples, job.chunks);
      return analyses.map((analysis, i): ChunkAnalysis => {
        const share = job.chunks[i]!.samples / Math.max(1, samples.length);
        return { ...analysis, inferenceMs: usedMs() * share };
      });
    }
    case 'pronounce':
      return pronounceWords(models, samples, job);
    case 'countSpeakers':
      return diarization().speakerCounter.count(samples, models.features.encoder);
    case 'embedSpeakers':
      return diarization().speakers.embed(samples, job.startSamples);
  }
}

async function detectSpeech(
  samples: Float32Array,
  heard: HeardLevel | null,
): Promise<Float32Array> {
  if (heard === null) return models.voiceActivity.probabilities(samples);
  const levelled = atSteadyLevel(samples, heard);
  return models.voiceActivity.probabilities(levelled).finally(() => freeNumbers(levelled));
}

function diarization(): DiarizationModels {
  if (!models.diarization) throw new Error('no diarization models are loaded');
  return models.diarization;
}

// Samples and states are outside of V8's heap: one that hardly grows would be collected for each
// few megabytes of them (docs/adr/0047). On the command line it would have a compile cache of its
// own.
setFlagsFromString('--heap-growing-percent=100');
const [modelsDirectory = '', english, assignments = '', niceness, packed = ''] =
  process.argv.slice(2);
// Only a privileged process may lower its niceness, so a service that was started nice stays nice.
setPriority(Math.max(getPriority(), Number(niceness)));
const parent = openParentChannel((message, pcm) => {
  void performScheduled(message as JobMessage, pcm);
});
const send = (message: ChildMessage): void => parent.send(message);
// The terminal's Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => {});

usePackedWeights(packed === '' ? null : packed);
const store = openModelStore(modelsDirectory);
const models = await loadModels(store, english, parseAssignments(assignments));
const scheduler = createCoreScheduler({ sliceMs, shortJobMs, now: () => performance.now() });

async function performScheduled(
  { id, job, claim, spareCore }: JobMessage,
  pcm: Buffer,
): Promise<void> {
  const scheduled = scheduler.open(claim, () => send({ kind: 'turn', id }));
  let readAt = -Infinity;
  const yieldOrRead = async (): Promise<void> => {
    if (performance.now() - readAt >= readMs) {
      // A message that has arrived since is read here, and its job may go first.
      await nextTick();
      readAt = performance.now();
    }
    await scheduled.yieldCore();
  };
  const times = (): JobTimes => {
    scheduled.end();
    return { runMs: scheduled.usedMs(), blockingMs: scheduled.longestBlockingMs() };
  };
  try {
    await yieldOrRead();
    const samples = toFloat(samplesOf(pcm));
    const body = (): Promise<unknown> => perform(samples, job, () => scheduled.usedMs());
    const value = await withYieldPoints(yieldOrRead, () =>
      spareCore ? withSpareCore(body) : body(),
    ).finally(() => freeNumbers(samples));
    send({ kind: 'done', id, value, ...times() });
  } catch (error) {
    send({ kind: 'failed', id, message: String(error), ...times() });
  }
}

returnFreedMemory();
send({ kind: 'ready' });
