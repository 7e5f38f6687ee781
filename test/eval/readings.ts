// Readings of known texts: joined sentences of one reader as long as the service takes, with texts
// that are right, of another recording, or damaged.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { createRandom, shuffled, type Random } from '../support/random.ts';
import { trimmed } from './dialogues.ts';
import {
  dataPath,
  readersTable,
  readPcm,
  telephonePrompts,
  type Utterance,
} from './speech-data.ts';

export type ReaderGroup = 'native' | 'adult' | 'child';

export interface Reading {
  readonly group: ReaderGroup;
  /** Its reader, or its sentences for the one native voice, was not used to fit anything. */
  readonly keptAside: boolean;
  readonly pcm: Int16Array;
  readonly words: readonly string[];
}

const sentencesOfReading = 2;
const readingsOfReader = { kept: 2, fitted: 1 };
const maxNativeReadings = 60;
const adultAge = 18;
const minWords = 5;
/** One of so many readers is kept aside (training/speakers.py). */
const keptStride = 5;
const pause = new Int16Array(0.4 * sampleRate);
const minSeconds = 5;
const maxSeconds = 28;

/** Of the native voice and of every reader; [] where the data is absent. */
export async function readings(): Promise<readonly Reading[]> {
  const random = createRandom(20261122);
  const planned: { readonly from: Omit<Reading, 'pcm' | 'words'>; readonly parts: Utterance[] }[] =
    [];
  const prompts = shuffled(
    (await telephonePrompts()).filter(({ text }) => text.split(' ').length >= minWords),
    random,
  );
  inParts(prompts, maxNativeReadings).forEach((parts, i) => {
    planned.push({ from: { group: 'native', keptAside: i % 2 === 0 }, parts });
  });
  for (const { utterances, age, keptAside } of await readersOfSet()) {
    const count = keptAside ? readingsOfReader.kept : readingsOfReader.fitted;
    const group = age < adultAge ? 'child' : 'adult';
    for (const parts of inParts(shuffled(utterances, random), count)) {
      planned.push({ from: { group, keptAside }, parts });
    }
  }
  const made = await Promise.all(planned.map(({ from, parts }) => join(from, parts)));
  return made.filter(({ pcm }) => {
    return pcm.length >= minSeconds * sampleRate && pcm.length <= maxSeconds * sampleRate;
  });
}

function inParts(utterances: readonly Utterance[], most: number): Utterance[][] {
  const count = Math.min(most, Math.floor(utterances.length / sentencesOfReading));
  return Array.from({ length: count }, (_, i) =>
    utterances.slice(i * sentencesOfReading, (i + 1) * sentencesOfReading),
  );
}

async function join(
  from: Omit<Reading, 'pcm' | 'words'>,
  parts: readonly Utterance[],
): Promise<Reading> {
  const samples: Int16Array[] = [];
  for (const { path } of parts) samples.push(trimmed(await readPcm(path)), pause);
  const words = parts.flatMap(({ text }) => text.split(/\s+/));
  return { ...from, pcm: joinSamples(samples.slice(0, -1)), words };
}

async function readersOfSet() {
  const [texts, speakers, ages] = await Promise.all(
    ['text', 'utt2spk', 'spk2age'].map(readersTable),
  );
  const utterances = new Map<string, Utterance[]>();
  for (const [id, text] of texts!) {
    if (text.split(/\s+/).length < minWords) continue;
    const reader = speakers!.get(id) ?? '';
    const path = dataPath('l2-english', 'audio', `${id}.opus`);
    utterances.set(reader, [...(utterances.get(reader) ?? []), { path, text }]);
  }
  const ordered = [...new Set(speakers!.values())].toSorted();
  return [...utterances].map(([reader, own]) => ({
    utterances: own,
    age: Number(ages!.get(reader)),
    keptAside: ordered.indexOf(reader) % keptStride === 0,
  }));
}

/** Texts that the recording does not say, or not all of; `other` is the text of another one. */
export function damagedTexts(words: readonly string[], other: readonly string[], random: Random) {
  const wrong = words.map((_, i) => other[i % other.length]!);
  const half = Math.ceil(words.length / 2);
  return {
    'of another recording': other,
    'of another recording, as many words': wrong,
    'its first half': words.slice(0, half),
    'its second half': words.slice(-half),
    'its middle half': words.slice(Math.floor(half / 2), Math.floor(half / 2) + half),
    'half of another recording': [...words.slice(0, half), ...wrong.slice(half)],
    'every fourth word deleted': words.filter((_, i) => i % 4 !== 2),
    'every fourth word inserted': words.flatMap((word, i) =>
      i % 4 === 2 ? [wrong[i]!, word] : [word],
    ),
    'in random order': shuffled(words, random),
  };
}
