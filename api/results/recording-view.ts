// A result as the console's page of a recording shows it; pure.
import type { RecordingResult } from '../../models/analysis/result/result.ts';
import type { ChannelBody } from './line-schemas.ts';
import { isUnsure, unsureNote, wordPieces } from '../../models/exports/low-confidence.ts';
import { metricsBody } from '../../models/exports/metrics-body.ts';
import { wholePercents } from '../../models/exports/percentages.ts';
import {
  spokenSegments,
  type ExportedResult,
  type ExportedSegment,
} from '../../models/exports/exported-result.ts';
import { mergeSpeakers } from '../../models/exports/roles.ts';

/** Text alone, or a word as [text, start, end, confidence, 1 when it is unsure]. */
type Piece = string | readonly [string, number, number, number | null, 0 | 1];

type Shown = Pick<RecordingResult, 'language' | 'outline' | 'removed'> & {
  /** Where each channel is a speaker; silent and missing ones too. */
  readonly channels?: readonly ChannelBody[] | null;
};

/**
 * Speakers keep their numbers: the page has their names, which may change while it is open. In the
 * figures those of one name are one, with the number of the first. Where speakers were not
 * separated there is none, and the figures are those of all speech.
 * @param names of the speakers in the order of their numbers
 */
export function toRecordingView(
  exported: ExportedResult,
  { language, outline, removed = [], channels = null }: Shown,
  names: readonly string[],
) {
  const metrics = metricsBody(mergeSpeakers(exported, names), []);
  const isSeparated = exported.segments.some(({ speaker }) => speaker !== null);
  const percents = wholePercents(metrics.speakers.map((each) => each.talk_share));
  return {
    duration: exported.duration,
    language,
    peaks: outline?.peaks ?? [],
    /** Where the recording begins in its container's time, in which browsers play it. */
    start_seconds: outline?.startSeconds ?? 0,
    note: unsureNote(exported),
    channels: channels?.map(({ speaker, role, state }) => ({ speaker, role, state })) ?? null,
    /** False for tasks without words. */
    has_words: exported.segments.every(({ text }) => text !== null),
    /** Stretches that a view without them does not play either. */
    removed: removed.map(({ start, end }) => ({ start, end })),
    segments: spokenSegments(exported).map(toSegment),
    metrics: {
      ...metrics,
      speakers: metrics.speakers.map((each, i) => ({
        ...each,
        speaker: isSeparated ? each.speaker : null,
        talk_percent: percents[i],
      })),
    },
  };
}

function toSegment(segment: ExportedSegment) {
  const { start, end, speaker, emotions, styles } = segment;
  const pieces = wordPieces(segment).map(({ text, word }): Piece => {
    if (!word) return text;
    return [text, word.start, word.end, word.confidence, isUnsure(word) ? 1 : 0];
  });
  return { start, end, speaker, pieces, emotions, styles };
}
