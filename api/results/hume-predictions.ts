// A result as Hume's clients read it: words and turns as predictions without emotions, because
// nothing here measures Hume's dimensions, and the scores of this service beside them; pure.
import { toTable } from '../../models/exports/text-formats.ts';
import type { SpeechResult } from './schemas.ts';
import type {
  HumeGranularity,
  HumeNative,
  HumePrediction,
  HumeProsody,
  HumeSource,
} from './hume-schemas.ts';
import { rounded } from './result-fields.ts';

type Segment = SpeechResult['segments'][number];
type Word = Segment['words'][number];
type NativeSegment = HumeNative['native']['segments'][number];

/** What a job says about its answer, besides the analysis. */
export interface HumeAnswer {
  readonly granularity: HumeGranularity;
  readonly identifySpeakers: boolean;
  readonly source: HumeSource;
}

/** Hume's dimensions, in the order of its documents, and the hash by which clients know them. */
const unmapped = (
  'Admiration,Adoration,Aesthetic Appreciation,Amusement,Anger,Anxiety,Awe,Awkwardness,Boredom,' +
  'Calmness,Concentration,Confusion,Contemplation,Contempt,Contentment,Craving,Desire,' +
  'Determination,Disappointment,Disgust,Distress,Doubt,Ecstasy,Embarrassment,Empathic Pain,' +
  'Entrancement,Envy,Excitement,Fear,Guilt,Horror,Interest,Joy,Love,Nostalgia,Pain,Pride,' +
  'Realization,Relief,Romance,Sadness,Satisfaction,Shame,Surprise (negative),' +
  'Surprise (positive),Sympathy,Tiredness,Triumph'
).split(',');
const inventorySha256 = 'fc24610ade8574646b8d34a78c2bedb1f29b6e6587683b2f41ae30786993629c';

export const humeContract = {
  output_contract: 'oruk-native-analysis-v1',
  hume_measurement_equivalence: false,
} as const;

export function toHumePrediction(speech: SpeechResult, answer: HumeAnswer): HumePrediction {
  const file = fileOf(answer.source);
  return {
    source: answer.source,
    results: {
      predictions: [{ file, models: { prosody: toProsody(speech, answer) } }],
      errors: [],
    },
    error: null,
    oruk: nativeOf(speech.segments),
  };
}

/** A recording that could not be analysed. */
export function failedHumePrediction(source: HumeSource, message: string): HumePrediction {
  const results = { predictions: [], errors: [{ message, file: fileOf(source) }] };
  return { source, results, error: message, oruk: nativeOf([]) };
}

export function fileOf(source: HumeSource): string {
  return source.type === 'file' ? source.filename : (source.url.split('/').at(-1) ?? source.url);
}

function nativeOf(segments: readonly Segment[]): HumeNative {
  return {
    ...humeContract,
    unmapped,
    crosswalk: {
      status: 'unvalidated',
      validated_dimensions: 0,
      inventory_sha256: inventorySha256,
    },
    score_coverage: 'selected_labels_only',
    native: {
      segments: segments.map(({ start, end, text, speaker, emotions }) => {
        return { start, end, text, speaker, emotions: emotions as NativeSegment['emotions'] };
      }),
    },
  };
}

interface Passage {
  readonly speaker: string | null;
  readonly text: string;
  readonly begin: number;
  readonly end: number;
}

function toProsody(
  { segments, language }: SpeechResult,
  { granularity, identifySpeakers }: HumeAnswer,
): HumeProsody {
  const groups = new Map<string, HumeProsody['grouped_predictions'][number]['predictions']>();
  for (const { speaker, text, begin, end } of passagesOf(segments, granularity)) {
    const id = identifySpeakers ? (speaker ?? 'unknown') : 'unknown';
    if (!groups.has(id)) groups.set(id, []);
    groups.get(id)!.push({ text, time: { begin, end }, emotions: [] });
  }
  return {
    metadata: metadataOf(segments, language),
    grouped_predictions: [...groups].map(([id, predictions]) => ({ id, predictions })),
  };
}

/** The recogniser's mean confidence; null without a word. */
function metadataOf(
  segments: readonly Segment[],
  language: string | null,
): HumeProsody['metadata'] {
  const known = segments.flatMap(({ words }) => words.flatMap((word) => word.confidence ?? []));
  if (known.length === 0) return null;
  const sum = known.reduce((total, confidence) => total + confidence, 0);
  return { confidence: rounded(sum / known.length, 6), detected_language: language };
}

function passagesOf(
  segments: readonly Segment[],
  granularity: HumeGranularity,
): readonly Passage[] {
  const spoken = segments.filter(({ words }) => words.length > 0);
  switch (granularity) {
    case 'word':
      return spoken.flatMap(({ words, speaker }) =>
        words.map(({ word, start, end }) => ({ speaker, text: word, begin: start, end })),
      );
    case 'utterance':
      return spoken.map(({ text, start, end, speaker }) => {
        return { speaker, text: text ?? '', begin: start, end };
      });
    case 'sentence':
      return turnsOf(spoken).flatMap(sentencesOf);
    case 'conversational_turn':
      return turnsOf(spoken).map(({ speaker, words, text }) => {
        return { speaker, text, begin: words[0]!.start, end: words.at(-1)!.end };
      });
  }
}

interface Turn {
  readonly speaker: string | null;
  readonly words: readonly Word[];
  readonly text: string;
}

/** Neighbouring segments of one speaker. */
function turnsOf(segments: readonly Segment[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const { speaker, words, text } of segments) {
    const last = turns.at(-1);
    if (last && last.speaker === speaker) {
      const joined = { words: [...last.words, ...words], text: `${last.text} ${text ?? ''}` };
      turns[turns.length - 1] = { speaker, ...joined };
    } else turns.push({ speaker, words, text: text ?? '' });
  }
  return turns;
}

const sentenceRules = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Sentences by the boundaries of Unicode (UAX 29), with the times of whole words: one that would
 * begin within a word begins after it. A rest without an end is a sentence as well.
 */
function sentencesOf({ speaker, words }: Turn): readonly Passage[] {
  const text = words.map(({ word }) => word).join(' ');
  const ends = [...sentenceRules.segment(text)].map(({ index, segment }) => index + segment.length);
  const sentences: Word[][] = [[]];
  let at = 0;
  for (const word of words) {
    if (sentences.at(-1)!.length > 0 && ends.some((end) => end > at - 2 && end <= at)) {
      sentences.push([]);
    }
    sentences.at(-1)!.push(word);
    at += word.word.length + 1;
  }
  return sentences.map((own) => ({
    speaker,
    text: own.map(({ word }) => word).join(' '),
    begin: own[0]!.start,
    end: own.at(-1)!.end,
  }));
}

/** The predictions of a recording as a table of `artifacts`. */
export function humeCsv({ results }: HumePrediction): string {
  const groups = results?.predictions.flatMap(({ models }) => models.prosody.grouped_predictions);
  const rows = (groups ?? []).flatMap(({ id, predictions }) =>
    predictions.map(({ text, time: { begin, end } }) => [id, text, String(begin), String(end)]),
  );
  return toTable([['Id', 'Text', 'BeginTime', 'EndTime'], ...rows]);
}
