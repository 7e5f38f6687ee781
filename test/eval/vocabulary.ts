// Vocabulary on sentences of second-language readers: how many terms are right with and without
// them, and what happens to sentences that have none.
import { loadWhisper } from '../../models/asr/whisper/recognizer.ts';
import { toFloat } from '../../models/audio/waveform.ts';
import type { ModelStore } from '../../models/bundles/store.ts';
import type { LoadedModels } from '../../models/inference/loaded-models.ts';
import { normaliseWords } from '../metrics/text-normalisation.ts';
import { countWordErrors, wordErrorRate, type WordErrors } from '../metrics/wer.ts';
import { percent } from './chunked-recognition.ts';
import { dataPath, readersTable, readPcm } from './speech-data.ts';

/** Names in the sentences, all of them given with each request. */
const names = (
  'Tai Ann Annie Kate John York Cairo America Japan Balt Hulk Graff Liya London Porter Shanghai ' +
  'Linda Billy Nila David Dora Chuck Olympia France Tom Laos Hadi Mark Mary Lucy Jim Peter Mike ' +
  'Jack Alice Bob Betty Lisa China Australia Canada Egypt Tina Neil Andy Steven Lana Elsa Firth ' +
  'Britain Europe'
).split(' ');
/** A word is rare that all sentences together have at most so often. */
const rareTimes = 4;
const rareLetters = 4;
/** Terms of a request with rare words: those of its sentence, and others of other sentences. */
const rareTerms = 100;
/** One of so many sentences without a name, and of all for rare words. */
const plainStep = 12;
const rareStep = 8;

interface Sentence {
  readonly samples: Float32Array;
  readonly words: readonly string[];
  readonly terms: readonly string[];
}

type Recognise = (samples: Float32Array, terms: readonly string[]) => Promise<string>;

/** Moonshine's decoder of English. */
export function byMoonshine({ recognizer }: LoadedModels): Recognise {
  const { encoder, decoder } = recognizer;
  return async (samples, terms) => {
    const [words = []] = await decoder.decode([await encoder.encode(samples)], [terms]);
    return words.map(({ word }) => word).join(' ');
  };
}

/** The largest Whisper for English that is installed. */
export async function byWhisper(store: ModelStore): Promise<Recognise> {
  const english = store.manifests.some(({ name }) => name === 'whisper-base-en');
  const name = english ? 'whisper-base-en' : 'whisper-base';
  const { directory, manifest } = store.bundle(name, 'whisper');
  const whisper = await loadWhisper(directory, manifest);
  return async (samples, terms) => {
    const chunk = { samples, terms, language: 'en' };
    return (await whisper.recognise([chunk], { words: false }))[0]!.text;
  };
}

/** @param options last: readers that the method was not chosen on */
export async function evaluateVocabulary(
  recognise: Recognise,
  { last = false }: { readonly last?: boolean } = {},
): Promise<readonly string[]> {
  const sets = { names: await namedSentences(last), 'rare words': await rareSentences(last) };
  const rows: string[] = [];
  for (const [set, sentences] of Object.entries(sets)) {
    for (const given of [false, true]) {
      rows.push(`| ${set} | ${await row(recognise, sentences, given)} |`);
    }
  }
  return [
    '| terms | given | found | WER of sentences with one | without | invented |',
    '|---|---|---|---|---|---|',
    ...rows,
  ];
}

async function row(
  recognise: Recognise,
  sentences: readonly Sentence[],
  given: boolean,
): Promise<string> {
  const errors: { readonly with: WordErrors[]; readonly without: WordErrors[] } = {
    with: [],
    without: [],
  };
  let [found, total, invented] = [0, 0, 0];
  for (const { samples, words, terms } of sentences) {
    const recognised = normaliseWords(await recognise(samples, given ? terms : []));
    let own = 0;
    for (const term of terms) {
      const [wanted, got] = [timesOf(term, words), timesOf(term, recognised)];
      own += wanted;
      found += Math.min(wanted, got);
      invented += Math.max(0, got - wanted);
    }
    total += own;
    errors[own > 0 ? 'with' : 'without'].push(countWordErrors(words, recognised));
  }
  const rates = [errors.with, errors.without].map((all) => percent(wordErrorRate(all)));
  const share = `${percent(found / total)} of ${total}`;
  return `${given ? 'yes' : 'no'} | ${share} | ${rates.join(' | ')} | ${invented}`;
}

function timesOf(term: string, words: readonly string[]): number {
  const bare = term.toLowerCase();
  return words.filter((word) => word.replace(/'s$/, '') === bare).length;
}

async function ownSentences(last: boolean): Promise<readonly (readonly [string, string])[]> {
  const [texts, speakers] = [await readersTable('text'), await readersTable('utt2spk')];
  return [...texts].filter(([id]) => Number(speakers.get(id)) % 2 === (last ? 1 : 0));
}

async function load(
  [id, text]: readonly [string, string],
  terms: readonly string[],
): Promise<Sentence> {
  const pcm = await readPcm(dataPath('l2-english', 'audio', `${id}.opus`));
  return { samples: toFloat(pcm), words: normaliseWords(text), terms };
}

async function namedSentences(last: boolean): Promise<readonly Sentence[]> {
  const isNamed = ([, text]: readonly [string, string]): boolean =>
    names.some((name) => timesOf(name, normaliseWords(text)) > 0);
  const all = await ownSentences(last);
  const chosen = all.filter((each, i) => isNamed(each) || i % plainStep === 0);
  return Promise.all(chosen.map((each) => load(each, names)));
}

async function rareSentences(last: boolean): Promise<readonly Sentence[]> {
  const counts = new Map<string, number>();
  for (const text of (await readersTable('text')).values()) {
    for (const word of normaliseWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const rare = [...counts]
    .filter(([word, count]) => count <= rareTimes && word.length >= rareLetters)
    .map(([word]) => word)
    .filter((word) => /^[a-z]+$/.test(word))
    .toSorted();
  const chosen = (await ownSentences(last)).filter((_, i) => i % rareStep === 0);
  return Promise.all(
    chosen.map((each, i) => {
      const own = normaliseWords(each[1]).filter((word) => rare.includes(word));
      const others = Array.from({ length: rareTerms }, (_, k) => {
        return rare[(i * 31 + k * 97) % rare.length]!;
      });
      return load(each, [...new Set([...own, ...others])].slice(0, rareTerms));
    }),
  );
}
