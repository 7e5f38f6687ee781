// The recordings of the evaluation: Debian's telephone prompts and the folder SPEECH_DATA_DIR.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const promptVoices = {
  en: 'en_US_f_Allison',
  es: 'es_MX_f_Allison',
  fr: 'fr_CA_f_June',
  it: 'it_IT_m_Carlo',
  ru: 'ru_RU_f_IvrvoiceRU',
} as const;
export type PromptLanguage = keyof typeof promptVoices;
/** One of so many sentences of the second-language set: about 200 in all. */
const sentenceStep = 12;

export interface Utterance {
  readonly path: string;
  readonly text: string;
}

export function dataPath(...parts: readonly string[]): string {
  return join(process.env.SPEECH_DATA_DIR ?? '', ...parts);
}

export async function lines(path: string): Promise<readonly string[]> {
  return existsSync(path) ? (await readFile(path, 'utf8')).trim().split('\n') : [];
}

/** A beep, which some lists describe without brackets. */
const beep = /^(beep|confbridge-(join|leave)$)/;

/** Prompts whose text is on one line, without notes in brackets: those with speech. */
export async function telephonePrompts(
  language: PromptLanguage = 'en',
): Promise<readonly Utterance[]> {
  const texts = await lines(dataPath('prompts', `core-sounds-${language}.txt`));
  return texts.flatMap((line) => {
    const [, name = '', text = ''] = /^([^:;]+):\s*(.+)$/.exec(line) ?? [];
    const path = join('/usr/share/asterisk/sounds', promptVoices[language], `${name.trim()}.wav`);
    const isNote = text === '' || beep.test(name) || /[[\]()<>{}]/.test(text);
    return isNote || !existsSync(path) ? [] : [{ path, text }];
  });
}

/** A table of the readers' data set: the first word of a line, and the rest by it. */
export async function readersTable(name: string): Promise<Map<string, string>> {
  return new Map(
    (await lines(dataPath('l2-english', name))).map((line) => {
      const [id = '', ...rest] = line.split(/\s+/);
      return [id, rest.join(' ')];
    }),
  );
}

/** Sentences read by speakers of these ages (both inclusive), spread over the set. */
export async function secondLanguageSpeech(
  minAge: number,
  maxAge: number,
): Promise<readonly Utterance[]> {
  const [texts, speakers, ages] = await Promise.all(
    ['text', 'utt2spk', 'spk2age'].map(readersTable),
  );
  return [...texts!].flatMap(([id, text], i) => {
    const age = Number(ages!.get(speakers!.get(id) ?? ''));
    const path = dataPath('l2-english', 'audio', `${id}.opus`);
    const wanted = i % sentenceStep === 0 && age >= minAge && age <= maxAge;
    return wanted && existsSync(path) ? [{ path, text }] : [];
  });
}

export interface Reader {
  readonly id: string;
  readonly paths: readonly string[];
}

/** Held-out readers: every fifth (training/speakers.py). */
export async function heldOutReaders(): Promise<readonly Reader[]> {
  const paths = new Map<string, string[]>();
  for (const line of await lines(dataPath('l2-english', 'utt2spk'))) {
    const [name, reader = ''] = line.split(/\s+/);
    const path = dataPath('l2-english', 'audio', `${name}.opus`);
    paths.set(reader, [...(paths.get(reader) ?? []), path]);
  }
  const ids = [...paths.keys()].toSorted();
  return ids.filter((_, i) => i % 5 === 0).map((id) => ({ id, paths: paths.get(id)! }));
}

/** 16 kHz mono PCM16, by the ffmpeg program. */
export async function readPcm(path: string): Promise<Int16Array> {
  const options = [
    '-loglevel',
    'error',
    '-i',
    path,
    '-ac',
    '1',
    '-ar',
    '16000',
    '-f',
    's16le',
    '-',
  ];
  const { stdout } = await run('ffmpeg', options, { encoding: 'buffer', maxBuffer: 2 ** 28 });
  return new Int16Array(new Uint8Array(stdout).buffer);
}
