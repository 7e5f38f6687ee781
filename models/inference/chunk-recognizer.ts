// A recogniser of whole chunks: their texts, and their words with times.
import { timeAttendedWords } from '../alignment/attention-alignment.ts';
import type { NemoRecognizer } from '../asr/nemo/recognizer.ts';
import { joinReadings } from '../asr/sentence-case.ts';
import { sampleRate } from '../audio/sample-rate.ts';
import type { LanguageProbabilities, Word } from '../asr/transcript.ts';
import type { ChunkToTranscribe } from '../asr/whisper/temperature-fallback.ts';
import type { WhisperRecognizer } from '../asr/whisper/recognizer.ts';
import type { WhisperManifest } from '../bundles/manifest.ts';
import type { OnDemand } from './on-demand.ts';

export interface RecognisedText {
  /** null if no language was selected; then nothing is recognised. */
  readonly language: string | null;
  readonly languages: LanguageProbabilities;
  /** '' without speech. */
  readonly text: string;
  /** Times in seconds from the start of the chunk; [] unless words were requested. */
  readonly words: readonly Word[];
}

export interface ChunkRecognizer {
  /** Each chunk in its language; the result of a chunk does not depend on the other chunks. */
  recognise(
    chunks: readonly ChunkToTranscribe[],
    options: { readonly words: boolean },
  ): Promise<readonly RecognisedText[]>;
}

/** Reads whole chunks of English again. */
export interface SecondReader {
  readonly confidence: NonNullable<WhisperManifest['alignedConfidence']>;
  /** For each chunk its words, [] without speech, or null where they are not to be trusted. */
  spell: WhisperRecognizer['spell'];
}

/**
 * No word is spoken so long: what follows it in the chunk was left out, as Whisper does with a
 * clause after a pause.
 */
const maxWordSeconds = 3;

/** Words by Whisper, timed by its attention. */
export function timedByAttention(
  whisper: Pick<WhisperRecognizer, 'confidence' | 'recognise'>,
): ChunkRecognizer {
  const recogniseOnce: ChunkRecognizer['recognise'] = async (chunks, options) => {
    const recognised = await whisper.recognise(chunks, options);
    return recognised.map(({ words: attended, ...rest }, i) => {
      const { samples } = chunks[i]!;
      const words = attended ? timeAttendedWords(attended, samples, whisper.confidence) : [];
      return { ...rest, words };
    });
  };
  return {
    async recognise(chunks, options) {
      const first = await recogniseOnce(chunks, options);
      const broken = first.flatMap((own, i) => {
        const index = own.words.findIndex(({ start, end }) => end - start > maxWordSeconds);
        return index === -1 ? [] : [{ own, index, chunk: chunks[i]! }];
      });
      if (broken.length === 0) return first;
      const rests = broken.map(({ own, index, chunk }) => ({
        ...chunk,
        ...{ language: own.language!, compare: false },
        samples: chunk.samples.subarray(Math.round(own.words[index]!.start * sampleRate)),
      }));
      const again = await recogniseOnce(rests, options);
      const completed = new Map(
        broken.map(({ own, index }, i) => [own, completedBy(own, index, again[i]!.words)]),
      );
      return first.map((own) => completed.get(own) ?? own);
    },
  };
}

/** @param rest words from the start of the word at `index`, that word included */
function completedBy(own: RecognisedText, index: number, rest: readonly Word[]): RecognisedText {
  const offset = own.words[index]!.start;
  if (rest.length <= own.words.length - index) return own;
  const moved = rest.map((word) => ({
    ...word,
    start: word.start + offset,
    end: word.end + offset,
  }));
  const words = joinReadings([own.words.slice(0, index), moved]);
  return { ...own, words, text: words.map(({ word }) => word).join(' ') };
}

interface TransducerOptions {
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  /** Detects the language of chunks, which the transducer does not. */
  readonly detector: ChunkRecognizer | null;
}

/** Words by a transducer, timed by the durations of its tokens. */
export function timedByDurations(
  nemo: OnDemand<NemoRecognizer>,
  options: TransducerOptions,
): ChunkRecognizer {
  return {
    async recognise(chunks) {
      const languages = await languagesOf(chunks, options);
      const recognised: RecognisedText[] = [];
      for (const [i, { samples }] of chunks.entries()) {
        const detected = languages[i]!;
        const words =
          detected.language === null
            ? []
            : await nemo.use(async (loaded) => loaded.words(await loaded.decode(samples)));
        recognised.push({ ...detected, words, text: words.map(({ word }) => word).join(' ') });
      }
      return recognised;
    },
  };
}

type DetectedLanguage = Pick<RecognisedText, 'language' | 'languages'>;

/** The language of each chunk: given, chosen from what is detected, or the only one. */
async function languagesOf(
  chunks: readonly ChunkToTranscribe[],
  { languages, detector }: TransducerOptions,
): Promise<readonly DetectedLanguage[]> {
  const fallback = languages.includes('en') ? 'en' : languages[0]!;
  const only = languages.length === 1 || !detector ? fallback : null;
  const found = chunks.map(({ language }): DetectedLanguage | null => {
    if (typeof language === 'string') return { language, languages: {} };
    const sure = only === null ? null : { [only]: 1 };
    return sure && { language: language(sure), languages: sure };
  });
  const unknown = chunks.flatMap((chunk, i) => (found[i] === null ? [{ chunk, i }] : []));
  if (unknown.length === 0 || !detector) return found.map((own) => own!);
  const chosen: (string | null)[] = [];
  const detected = await detector.recognise(
    unknown.map(({ chunk: { samples, language } }, order) => ({
      samples,
      language: (probabilities) => {
        chosen[order] = typeof language === 'string' ? language : language(probabilities);
        // No language: nothing is transcribed.
        return null;
      },
    })),
    { words: false },
  );
  unknown.forEach(({ i }, order) => {
    found[i] = { language: chosen[order] ?? null, languages: detected[order]!.languages };
  });
  return found.map((own) => own!);
}
