// No speech, no score: what is scored of real sounds, and what is silenced of short words. Sounds
// and letters are those of Debian packages, where they are installed.
import { readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { affectOf } from '../../models/affect/affect-model.ts';
import { classifySegments } from '../../models/affect/classify.ts';
import { areFloorLogits } from '../../models/affect/no-speech.ts';
import { segmentsToScore } from '../../models/analysis/speech-segments.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { hearSpeech } from '../../models/vad/speech-regions.ts';
import { createRandom } from '../support/random.ts';
import { job, percent } from './chunked-recognition.ts';
import { promptVoices, readPcm, telephonePrompts, type PromptLanguage } from './speech-data.ts';

const model = 'svc-resonance';
const maxSamples = 12 * sampleRate;
/** Recordings of a package, and of a voice, spread over them. */
const recordingsOfEach = 120;

/** Folders of sounds without speech, by package. */
const sounds: Readonly<Record<string, string>> = {
  'hydrogen-drumkits': '/usr/share/hydrogen/data/drumkits',
  'lmms-common': '/usr/share/lmms/samples',
  'asterisk-moh-opsound-wav': '/usr/share/asterisk/moh',
  'oxygen-sounds': '/usr/share/sounds',
  'minetest-data': '/usr/share/games/minetest',
};
/** Letters and syllables that people say, in two dozen languages. */
const letters: Readonly<Record<string, string>> = { 'klettres-data': '/usr/share/klettres' };

/** Seeded, so that each run hears the same. */
const versions: Readonly<Record<string, (pcm: Int16Array, seed: number) => Int16Array>> = {
  'as recorded': (pcm) => pcm,
  'loudest at -40 dBFS': (pcm) => {
    const peak = pcm.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
    return pcm.map((value) => Math.round((value * 327.68) / peak));
  },
  'noise at 15 dB': (pcm, seed) => {
    const random = createRandom(seed);
    const power = pcm.reduce((sum, value) => sum + value * value, 0) / pcm.length;
    const width = Math.sqrt(12 * power) * 10 ** (-15 / 20);
    return pcm.map((value) => {
      const noisy = Math.round(value + width * (random() - 0.5));
      return Math.max(-32_768, Math.min(32_767, noisy));
    });
  },
};

/** Lines: of speech the share without scores, of other sounds the share with some. */
export async function evaluateNoSpeech(pool: InferencePool): Promise<readonly string[]> {
  const lines = ['| recordings | version | number | without scores |', '|---|---|---|---|'];
  const rows = async (name: string, paths: readonly string[], heardAs: readonly string[]) => {
    const recordings = await readable(paths);
    for (const version of heardAs) {
      let silent = 0;
      for (const [i, pcm] of recordings.entries()) {
        if (!(await isScored(pool, versions[version]!(pcm, i)))) silent += 1;
      }
      const share = `${silent} (${percent(silent / recordings.length)})`;
      lines.push(`| ${name} | ${version} | ${recordings.length} | ${share} |`);
    }
  };
  for (const language of Object.keys(promptVoices) as PromptLanguage[]) {
    const paths = spread((await telephonePrompts(language)).map(({ path }) => path));
    if (paths.length === 0) continue;
    await rows(`prompts, ${language}`, paths, Object.keys(versions));
  }
  for (const [name, folder] of Object.entries({ ...letters, ...sounds })) {
    const paths = spread(await recordingsIn(folder));
    if (paths.length > 0) await rows(name, paths, ['as recorded']);
  }
  return lines;
}

function spread(paths: readonly string[]): readonly string[] {
  return paths.filter((_, i) => i % Math.ceil(paths.length / recordingsOfEach) === 0);
}

/** The starts of the recordings; packages hold a few files that ffmpeg does not read. */
async function readable(paths: readonly string[]): Promise<readonly Int16Array[]> {
  const recordings: Int16Array[] = [];
  for (const path of paths) {
    const pcm = await readPcm(path).catch(() => null);
    if (pcm) recordings.push(pcm.slice(0, maxSamples));
  }
  return recordings;
}

async function recordingsIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(wav|ogg|flac|mp3)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function isScored(pool: InferencePool, pcm: Int16Array): Promise<boolean> {
  if (pcm.length === 0) return false;
  const probabilities = await pool.voiceActivity(pcm, job);
  const { regions, isFaint } = hearSpeech(probabilities);
  const spans = segmentsToScore(regions, probabilities);
  if (spans.length === 0) return false;
  const request = {
    ...{ words: false, language: 'en', text: false, head: model, spans },
    ...(isFaint && { isFaint }),
  };
  const { scored } = await pool.analyze(pcm, request, job);
  const segments = scored.map(({ start, end, readings }) => ({
    ...{ start, end, speaker: null },
    readings: Array.from(readings),
  }));
  const logits = classifySegments(affectOf(model)!.weights, segments);
  return logits.some((row) => !areFloorLogits(row));
}
