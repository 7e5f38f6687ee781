// Whether a recording can be graded at all, and whether its grade is reliable; pure.

export type CheckStatus = 'scored' | 'low_confidence' | 'insufficient_audio';

export interface ProficiencyCheck {
  readonly status: CheckStatus;
  readonly billable: boolean;
  readonly reason: string | null;
}

export interface CheckInput {
  /** By voice activity. */
  readonly speechSeconds: number;
  /** Recognised words; null when the caller gave a transcript. */
  readonly wordCount: number | null;
  /** Mean probability that the recognised words are correct; null without any. */
  readonly meanConfidence: number | null;
  /** Share of their pairs that come for the first time; null without any. */
  readonly distinctPairs: number | null;
  /** Whether the recording says a given transcript, and little else; null without one. */
  readonly transcriptFits: boolean | null;
  /** Sound and words together are unlike English: a language that no model here knows. */
  readonly isBeyondAccent: boolean;
  /** Language that a multilingual model recognises; null when it was not run. */
  readonly language: string | null;
  /** Speech of the main speaker and of all others, by diarization. */
  readonly mainSpeakerSeconds: number;
  readonly otherSpeakersSeconds: number;
}

const minSpeechSeconds = 3;
const minWords = 5;
const minConfidence = 0.4;
/**
 * Readers repeat fewer pairs, three tenths in lists of one phrase; speech of other languages is
 * written as phrases that come again and again, with a confidence of 0.4 to 0.7 on average.
 */
const minDistinctPairs = 0.65;
const sureConfidence = 0.75;
/**
 * An accent can be mistaken for another language, so speech recognised this well counts as English.
 */
const minEnglishConfidence = 0.6;
/**
 * Concatenated recordings of one reader are sometimes diarized as two speakers for a few seconds.
 */
const maxOthersShare = 0.25;
const maxOthersSeconds = 5;

/**
 * False when nothing can be graded. It depends on the audio alone, since a given transcript proves
 * no speech.
 */
export function hasEnoughSpeech({
  speechSeconds,
  wordCount,
}: Pick<CheckInput, 'speechSeconds' | 'wordCount'>): boolean {
  return speechSeconds >= minSpeechSeconds && (wordCount ?? minWords) >= minWords;
}

/** The first problem found decides. */
export function checkRecording(input: CheckInput): ProficiencyCheck {
  const { speechSeconds, wordCount, meanConfidence, transcriptFits, language } = input;
  if (!hasEnoughSpeech(input)) {
    if (language !== null && language !== 'en') return otherLanguage(language);
    const words =
      wordCount === null ? ['', ''] : [`, ${wordCount} words`, ` and ${minWords} words`];
    // Rounded up, 2.97 s would read as the 3 s that are needed.
    const found = `${(Math.floor(10 * speechSeconds) / 10).toFixed(1)} s of speech${words[0]}`;
    const reason = `insufficient_speech: ${found}; ${minSpeechSeconds} s${words[1]} are needed`;
    return { status: 'insufficient_audio', billable: false, reason };
  }
  if ((meanConfidence ?? 0) < minEnglishConfidence) {
    if (language !== null && language !== 'en') {
      return otherLanguage(language);
    }
    if (input.isBeyondAccent) {
      return lowConfidence('other_language: the speech does not sound like English');
    }
  }
  if (transcriptFits === false) {
    return lowConfidence(
      'transcript_mismatch: the recording does not say what the transcript says, or much more',
    );
  }
  if (transcriptFits === null && !isUnderstood(input)) {
    return lowConfidence('not_understood: little of the speech was recognised as English');
  }
  const { mainSpeakerSeconds: main, otherSpeakersSeconds: others } = input;
  if (others > maxOthersSeconds && others > maxOthersShare * (main + others)) {
    return lowConfidence('several_speakers: the grade would mix them');
  }
  return { status: 'scored', billable: true, reason: null };
}

function isUnderstood({ meanConfidence, distinctPairs }: CheckInput): boolean {
  const confidence = meanConfidence ?? 0;
  if (confidence < minConfidence) return false;
  return confidence >= sureConfidence || (distinctPairs ?? 1) >= minDistinctPairs;
}

function otherLanguage(language: string): ProficiencyCheck {
  return lowConfidence(`other_language: the speech sounds like ${language}`);
}

function lowConfidence(reason: string): ProficiencyCheck {
  return { status: 'low_confidence', billable: true, reason };
}
