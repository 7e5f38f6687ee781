// An inference process: loads the models, then does one job after the other.
import { setPriority } from 'node:os';
import { toFloat } from '../audio/waveform.ts';
import { openModelStore } from '../onnx/store.ts';
import { analyzeChunk } from './analyze-chunk.ts';
import { pronounceWords } from './pronounce-words.ts';
import { loadModels, type DiarizationModels, type LoadedModels } from './loaded-models.ts';
import type { ChildMessage, JobMessage } from './messages.ts';

/** Below the API and the worker: their answers must stay punctual while every core infers. */
const niceness = 5;

async function perform(models: LoadedModels, { job, pcm }: JobMessage): Promise<unknown> {
  const samples = toFloat(pcm);
  switch (job.kind) {
    case 'voiceActivity':
      return models.voiceActivity.probabilities(samples);
    case 'analyze':
      return analyzeChunk(models, samples, job.request);
    case 'pronounce':
      return pronounceWords(models, samples, job.words);
    case 'countTalkers':
      return diarizationOf(models).talkers.count(await models.encoder.encode(samples));
    case 'embedSpeakers':
      return diarizationOf(models).speakers.embed(samples, job.startSamples);
  }
}

function diarizationOf({ diarization }: LoadedModels): DiarizationModels {
  if (!diarization) throw new Error('no diarization models are loaded');
  return diarization;
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

setPriority(niceness);
process.once('disconnect', () => process.exit(0));
// The terminal's Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => {});

const models = await loadModels(await openModelStore(process.argv[2] ?? ''));
process.on('message', (message: JobMessage) => {
  perform(models, message).then(
    (value) => send({ kind: 'done', id: message.id, value }),
    (error: unknown) => send({ kind: 'failed', id: message.id, message: String(error) }),
  );
});
send({ kind: 'ready' });
