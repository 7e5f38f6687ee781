// No speech, no score: what is scored of real sounds, and what is silenced of short words. Sounds
// and letters are those of Debian packages, where they are installed.
import { readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { percent } from './chunked-recognition.ts';
import { allVersions, isScored, versions, type Version } from './scored-speech.ts';
import { promptVoices, readPcm, telephonePrompts, type PromptLanguage } from './speech-data.ts';

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

/** Lines: of speech the share without scores, of other sounds the share with some. */
export async function evaluateNoSpeech(pool: InferencePool): Promise<readonly string[]> {
  const lines = ['| recordings | version | number | without scores |', '|---|---|---|---|'];
  const rows = async (name: string, paths: readonly string[], heardAs: readonly Version[]) => {
    const recordings = await readable(paths);
    for (const version of heardAs) {
      let silent = 0;
      for (const [i, pcm] of recordings.entries()) {
        if (!(await isScored(pool, versions[version](pcm, i)))) silent += 1;
      }
      const share = `${silent} (${percent(silent / recordings.length)})`;
      lines.push(`| ${name} | ${version} | ${recordings.length} | ${share} |`);
    }
  };
  for (const language of Object.keys(promptVoices) as PromptLanguage[]) {
    const paths = spread((await telephonePrompts(language)).map(({ path }) => path));
    if (paths.length === 0) continue;
    await rows(`prompts, ${language}`, paths, allVersions);
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
