// Pronunciation scores, validated on what is known without grades: texts that are right, swapped or
// damaged, native speakers against readers of two ages over the same channel, speed and noise; and
// the calibration that the recordings that are not kept aside give.
import { modelRow, proficiencyModel } from '../../models/contract/served-models.ts';
import { proficiencyFiles } from '../../models/bundles/catalog.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { measureFluency } from '../../models/proficiency/measures.ts';
import type { HeardWord, PronouncedWord } from '../../models/proficiency/pronounced-word.ts';
import {
  components,
  meanScore,
  recordingScore,
  wordScore,
} from '../../models/proficiency/scores.ts';
import { coversSpeech, fitsTranscript } from '../../models/proficiency/transcript.ts';
import { areaUnderCurve, fitLogistic } from '../metrics/logistic-regression.ts';
import { findSpeechRegions, speechSecondsIn } from '../../models/vad/speech-regions.ts';
import { createRandom } from '../support/random.ts';
import { silence } from '../support/speech.ts';
import { speechProbabilities } from '../../models/analysis/voice-activity.ts';
import { job, percent } from './chunked-recognition.ts';
import { telephoneBand, throughFfmpeg } from './dialogues.ts';
import { damagedTexts, readings, type Reading } from './readings.ts';

type Words = readonly PronouncedWord[];

interface Aligned {
  readonly reading: Reading;
  /** The right text, by channel. */
  readonly channels: Readonly<Record<string, Words>>;
  /** Texts that are not said, by kind. */
  readonly damaged: Readonly<Record<string, Words>>;
  /** Channels and kinds whose text does not fit; of what is kept aside. */
  readonly rejected: ReadonlySet<string>;
}

/** The kind of text against which the right one is compared. */
const swapped = 'of another recording, as many words';
const noiseAmplitude = 0.01;
const slipSeconds = 0.8;
const { calibration } = proficiencyFiles(modelRow(proficiencyModel));

export async function evaluateProficiency(pool: InferencePool): Promise<readonly string[]> {
  const all = await readings();
  if (all.length === 0) return ['skipped: its recordings are not on this machine'];
  const aligned: Aligned[] = [];
  for (const [i, reading] of all.entries()) {
    aligned.push(await align(pool, reading, all[(i + 37) % all.length]!));
  }
  const kept = aligned.filter(({ reading }) => reading.keptAside);
  const fitted = aligned.filter(({ reading }) => !reading.keptAside);
  return [
    `${kept.length} recordings of readers and sentences that nothing was fitted to:`,
    '',
    ...transcripts(kept),
    '',
    ...groups(kept),
    '',
    ...calibrationOf(fitted),
  ];
}

async function align(pool: InferencePool, reading: Reading, other: Reading): Promise<Aligned> {
  const { pcm, words, keptAside } = reading;
  const channels: Record<string, Words> = {};
  const damaged: Record<string, Words> = {};
  const rejected = new Set<string>();
  const speech = new Map<Int16Array, number>();
  const read = async (name: string, samples: Int16Array, text: readonly string[]) => {
    const found = await pool.pronounce(samples, { words: text, toTheLast: true }, job);
    if (!keptAside) return found;
    if (!speech.has(samples)) speech.set(samples, await speechSeconds(pool, samples));
    if (!fits(found, speech.get(samples)!)) rejected.add(name);
    return found;
  };
  const heard = Object.entries({
    'as recorded': pcm,
    telephone: await telephoneBand(pcm),
    ...(keptAside && { ...(await degraded(pcm)), ...withSlips(pcm, other.pcm) }),
  });
  for (const [name, samples] of heard) channels[name] = await read(name, samples, words);
  for (const [kind, text] of Object.entries(damagedTexts(words, other.words, createRandom(7)))) {
    if (keptAside || kind === swapped) damaged[kind] = await read(kind, pcm, text);
  }
  return { reading, channels, damaged, rejected };
}

async function speechSeconds(pool: InferencePool, pcm: Int16Array): Promise<number> {
  const regions = findSpeechRegions(await speechProbabilities(pool, pcm, job));
  return speechSecondsIn(regions, { start: 0, end: pcm.length / sampleRate });
}

function fits(words: readonly HeardWord[], seconds: number): boolean {
  return fitsTranscript(words, calibration) && coversSpeech(words, seconds);
}

async function degraded(pcm: Int16Array): Promise<Readonly<Record<string, Int16Array>>> {
  return {
    noise: withNoise(pcm),
    'slower, 0.8': await throughFfmpeg(pcm, ['-af', 'atempo=0.8']),
    'faster, 1.25': await throughFfmpeg(pcm, ['-af', 'atempo=1.25']),
  };
}

/** What a transcript leaves out although it is whole. */
function withSlips(pcm: Int16Array, other: Int16Array): Readonly<Record<string, Int16Array>> {
  const slip = Math.round(slipSeconds * sampleRate);
  const middle = Math.floor(pcm.length / 2);
  const pause = silence(0.3);
  return {
    'false start': joinSamples([pcm.slice(0, slip), pause, pcm]),
    'words repeated': joinSamples([pcm.slice(0, middle), pcm.slice(Math.max(0, middle - slip))]),
    'an aside of a second': joinSamples([pcm, pause, other.slice(0, sampleRate)]),
  };
}

function withNoise(pcm: Int16Array): Int16Array {
  const random = createRandom(11);
  const noise = (): number => (random() + random() + random() + random() - 2) * noiseAmplitude;
  return pcm.map((sample) => Math.max(-32_768, Math.min(32_767, sample + 32_768 * noise())));
}

/** How often a text that is not said is found, and one that is said rejected. */
function transcripts(kept: readonly Aligned[]): readonly string[] {
  const share = (name: string) =>
    percent(kept.filter(({ rejected }) => rejected.has(name)).length / kept.length);
  const names = (of: 'channels' | 'damaged') => [
    ...new Set(kept.flatMap((a) => Object.keys(a[of]))),
  ];
  const below = kept.filter(({ channels, damaged }) => {
    const right = scoreOf(channels['as recorded']!);
    return right > scoreOf(damaged[swapped]!);
  }).length;
  return [
    '| transcript | does not fit |',
    '|---|---|',
    ...names('channels').map((name) => `| right, ${name} | ${share(name)} |`),
    ...names('damaged').map((name) => `| ${name} | ${share(name)} |`),
    '',
    `right transcript scored above a swapped one: ${percent(below / kept.length)}`,
  ];
}

function groups(kept: readonly Aligned[]): readonly string[] {
  const counts = (['native', 'adult', 'child'] as const).map(
    (group) => kept.filter(({ reading }) => reading.group === group).length,
  );
  const scores = (group: string, channel: string) =>
    kept
      .filter(({ reading }) => reading.group === group)
      .map(({ channels }) => scoreOf(channels[channel]!));
  const area = (group: string, channel: string) =>
    areaUnderCurve(scores('native', channel), scores(group, channel)).toFixed(3);
  return [
    `${counts.join(', ')} recordings of natives, adult and child readers, over the same channel:`,
    '',
    '| channel of both | native above adults, AUC | native above children, AUC |',
    '|---|---|---|',
    ...['telephone', 'noise', 'as recorded'].map(
      (channel) => `| ${channel} | ${area('adult', channel)} | ${area('child', channel)} |`,
    ),
  ];
}

/** What proficiency-calibration.json contains, fitted again. */
function calibrationOf(fitted: readonly Aligned[]): readonly string[] {
  const wordsOf = (words: Words, label: boolean) =>
    words.filter(({ phones }) => phones > 0).map(({ gop }) => ({ values: [gop], label }));
  const word = fitLogistic(
    fitted.flatMap(({ channels, damaged }) => [
      ...wordsOf(channels['as recorded']!, true),
      ...wordsOf(damaged[swapped]!, false),
    ]),
  );
  const fluency = fitLogistic(
    fitted.flatMap(({ reading, channels }) =>
      Object.values(channels).map((words) => {
        const measures = measureFluency(words);
        const run = Math.log(Math.max(1, measures.mean_length_of_run_words));
        const label = reading.group === 'native';
        return { values: [measures.articulation_rate_pps, run], label };
      }),
    ),
  );
  const print = (weights: readonly number[]) => weights.map((w) => w.toFixed(4)).join(', ');
  return [
    `fitted to the other ${fitted.length} recordings:`,
    `word: slope, offset ${print(word)}`,
    `fluency: phonesPerSecond, logRunWords, offset ${print(fluency)}`,
  ];
}

function scoreOf(words: Words): number {
  const scored = words.map((word) => ({ ...word, score: wordScore(word, calibration) }));
  const measures = measureFluency(words);
  return recordingScore(components(meanScore(scored) ?? 0, measures, calibration));
}
