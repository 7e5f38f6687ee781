// An inference process: loads the models, then does one job after the other.
import { setPriority } from 'node:os';
import { loadMoonshine, type Recognizer } from '../asr/moonshine.ts';
import { toFloat } from '../audio/waveform.ts';
import { openModelStore } from '../onnx/store.ts';
import { loadSilero, type VoiceActivityModel } from '../vad/silero.ts';
import type { ChildMessage, JobMessage } from './messages.ts';

/** Below the API and the worker: their answers must stay punctual while every core infers. */
const niceness = 5;

interface LoadedModels {
  readonly voiceActivity: VoiceActivityModel;
  readonly recognizer: Recognizer;
}

async function load(modelsDirectory: string): Promise<LoadedModels> {
  const store = await openModelStore(modelsDirectory);
  const parts = store.assignments['svc-resonance'];
  if (!parts) throw new Error('models/assignments.json has no svc-resonance');
  const [voiceActivity, recognizer] = await Promise.all([
    loadSilero(store.bundleDirectory(parts.voiceActivity), store.silero(parts.voiceActivity)),
    loadMoonshine(store.bundleDirectory(parts.recognition), store.moonshine(parts.recognition)),
  ]);
  return { voiceActivity, recognizer };
}

async function perform(models: LoadedModels, { job, pcm }: JobMessage): Promise<unknown> {
  const samples = toFloat(pcm);
  switch (job) {
    case 'voiceActivity':
      return models.voiceActivity.probabilities(samples);
    case 'transcribe': {
      const startedAt = performance.now();
      const words = await models.recognizer.recognize(samples);
      return { words, inferenceMs: performance.now() - startedAt };
    }
  }
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

setPriority(niceness);
process.once('disconnect', () => process.exit(0));
// The terminal's Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => {});

const models = await load(process.argv[2] ?? '');
process.on('message', (message: JobMessage) => {
  perform(models, message).then(
    (value) => send({ kind: 'done', id: message.id, value }),
    (error: unknown) => send({ kind: 'failed', id: message.id, message: String(error) }),
  );
});
send({ kind: 'ready' });
