// Long calls that change their language: sections of minutes, single turns, hold music, narrow and
// wide band, through the steps of the service; WER, words in the wrong language, turns left out.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { wordErrorRate } from '../metrics/wer.ts';
import { percent } from './chunked-recognition.ts';
import { analyzeCall } from './long-calls/analyze-call.ts';
import { buildCall, type CallKind, type Section } from './long-calls/build-call.ts';
import { measureCall, type LanguageFigures } from './long-calls/measure-call.ts';
import type { SpokenLanguage } from './long-calls/voices.ts';

const seeds = { first: 3, last: 7 };
const others = ['es', 'fr', 'it', 'ru', 'de'] as const;
/** Longer than the pauses within a chunk. */
const pauses = [{ language: 'silence', seconds: 2 }] as const;

type Call = Pick<CallKind, 'name' | 'band' | 'sections'>;

/** @param last evaluates the half of the recordings that nothing is chosen on */
export async function evaluateLongCalls(
  pool: InferencePool,
  { last = false } = {},
): Promise<readonly string[]> {
  const rows = ['| call | language | words | WER | in another language | utterances missed |'];
  rows.push('|---|---|---|---|---|---|');
  const notes: string[] = [];
  for (const [i, call] of calls().entries()) {
    const seed = i + (last ? seeds.last : seeds.first);
    const { pcm, ...truth } = await buildCall({ ...call, last, seed });
    const { words, spentSeconds } = await analyzeCall(pool, pcm);
    const figures = measureCall(truth, words);
    for (const [language, own] of figures.byLanguage) {
      rows.push(`| ${call.name} | ${language} | ${cellsOf(own).join(' | ')} |`);
    }
    const { outside, inMusic, doubled } = figures;
    const seconds = pcm.length / sampleRate;
    const [minutes, share] = [(seconds / 60).toFixed(1), (spentSeconds / seconds).toFixed(3)];
    notes.push(
      `${call.name}: ${minutes} min, ${share} of real time; words where nothing is said ` +
        `${outside}, in music ${inMusic}, repeated ${doubled}`,
    );
  }
  return [...rows, '', ...notes];
}

function cellsOf(own: LanguageFigures): readonly (number | string)[] {
  const words = own.errors.reduce((sum, { referenceWords }) => sum + referenceWords, 0);
  const wrong = `${own.wrongLanguage} of ${own.words}`;
  const lost = `${own.lost} of ${own.utterances}`;
  return [words, percent(wordErrorRate(own.errors)), wrong, lost];
}

function calls(): readonly Call[] {
  return [
    {
      ...{ name: 'sections, wide band', band: 'wide' },
      sections: [
        ...[section('en', 1), section('es', 1), section('de', 0.7), section('en', 0.5)],
        ...[section('music', 0.5), section('fr', 1), readers(0.7), section('it', 1)],
        ...[section('en', 0.3), section('ru', 1), section('en', 0.5)],
      ],
    },
    {
      ...{ name: 'sections, telephone', band: 'telephone' },
      sections: [
        ...[section('es', 1), section('music', 0.7), section('it', 1), section('es', 0.5)],
        ...[section('fr', 1), section('en', 0.7), section('ru', 1), section('de', 0.7)],
        ...[section('music', 0.5), section('de', 0.5)],
      ],
    },
    turnsIn('en', section('en', 0.3), others),
    turnsIn('en', section('en', 0.3), others, pauses),
    turnsIn('readers', readers(0.3), others),
    turnsIn('readers', readers(0.3), others, pauses),
    ...others.map((language) => turnsIn(language, section(language, 0.3), ['en'])),
    // Long enough to be heard beforehand (`probe-language.ts`).
    ...others.map((language) => ({
      ...turnsIn(language, section(language, 2.3), ['en']),
      name: `turns in ${language}, long`,
    })),
  ];
}

/** Single turns among others: ten, or five in one language. */
function turnsIn(
  name: string,
  around: Section,
  turns: readonly SpokenLanguage[],
  between: readonly Section[] = [],
): Call {
  const sections = Array.from({ length: turns.length === 1 ? 5 : 10 }, (_, i) => {
    const turn = { language: turns[i % turns.length]!, seconds: 0 };
    return [around, ...between, turn, ...between];
  }).flat();
  const apart = between.length > 0 ? ', apart' : '';
  const band = around.readers ? 'wide' : 'telephone';
  return { name: `turns in ${name}${apart}`, band, sections };
}

function section(language: Section['language'], minutes: number): Section {
  return { language, seconds: 60 * minutes };
}

function readers(minutes: number): Section {
  return { ...section('en', minutes), readers: true };
}
