// The gate of a recogniser: how often it takes English, and other languages, for English without
// Whisper; and weights of its sum that would do best on half of the voices.
import {
  englishLogOdds,
  isClearlyEnglish,
  type EnglishOdds,
} from '../../models/asr/language-decision.ts';
import type { SpelledWord } from '../../models/asr/spelled-words.ts';
import { toFloat } from '../../models/audio/waveform.ts';
import type { LoadedModels } from '../../models/inference/loaded-models.ts';
import { percent } from './chunked-recognition.ts';
import { allVoices, clipsOf } from './language.ts';

interface GatedClip {
  readonly isEnglish: boolean;
  /** Every other voice: the weights are fitted on these. */
  readonly isFitted: boolean;
  readonly soundLogOdds: number;
  readonly words: readonly SpelledWord[];
}

const clipSeconds = [2, 5] as const;
const sounds = [0.2, 0.3, 0.4, 0.5, 0.6, 0.8] as const;
const wordWeights = [1, 1.5, 2, 3, 4] as const;
/** A clip in another language is to stay below this, which leaves a margin to the limit of 2. */
const maxOfOthers = 1.4;

export async function evaluateEnglishOdds({
  recognizer,
}: LoadedModels): Promise<readonly string[]> {
  const clips: GatedClip[] = [];
  for (const [index, voice] of (await allVoices()).entries()) {
    for (const seconds of clipSeconds) {
      for await (const pcm of clipsOf(voice, seconds)) {
        const encoded = await recognizer.encoder.encode(toFloat(pcm));
        const [words = []] = await recognizer.decoder.decode([encoded]);
        const soundLogOdds = recognizer.englishHead.logOdds(encoded).whole;
        const isEnglish = voice.language === 'en';
        clips.push({ isEnglish, isFitted: index % 2 === 0, soundLogOdds, words });
      }
    }
  }
  if (clips.length === 0) return ['skipped: its recordings are not on this machine'];
  const fitted = clips.filter(({ isFitted }) => isFitted);
  const kept = clips.filter(({ isFitted }) => !isFitted);
  const best = bestOdds(fitted);
  const { odds } = recognizer.englishHead;
  return [
    `in use ${JSON.stringify(odds)}: ${shares(clips, odds)}`,
    `best on half of the voices ${JSON.stringify(best)}: ${shares(fitted, best)}`,
    `the same on the others: ${shares(kept, best)}`,
  ];
}

/** Most English at once, while every clip in another language stays below `maxOfOthers`. */
function bestOdds(clips: readonly GatedClip[]): EnglishOdds {
  const candidates = sounds.flatMap((sound) =>
    wordWeights.map((words) => {
      const odds = { sound, words, offset: 0 };
      const others = clips.filter(({ isEnglish }) => !isEnglish).map((clip) => sumOf(clip, odds));
      return { ...odds, offset: maxOfOthers - Math.max(...others) };
    }),
  );
  return candidates.toSorted((a, b) => clearShare(clips, b, true) - clearShare(clips, a, true))[0]!;
}

function sumOf({ soundLogOdds, words }: GatedClip, odds: EnglishOdds): number {
  return englishLogOdds(soundLogOdds, words, odds);
}

/** Share of the clips that count as English without Whisper. */
function clearShare(clips: readonly GatedClip[], odds: EnglishOdds, english: boolean): number {
  const own = clips.filter(({ isEnglish }) => isEnglish === english);
  const clear = own.filter((clip) => isClearlyEnglish(sumOf(clip, odds), {}));
  return clear.length / Math.max(1, own.length);
}

function shares(clips: readonly GatedClip[], odds: EnglishOdds): string {
  const english = percent(clearShare(clips, odds, true));
  const others = percent(clearShare(clips, odds, false));
  return `${english} of the English clips are clear, ${others} of the others`;
}
