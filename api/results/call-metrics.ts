// Call metrics and channels of a stored result, as callers read them.
import { callMetrics } from '../../models/exports/call-metrics.ts';
import type { ExportedResult } from '../../models/exports/result.ts';
import type { RecordingResult } from '../../models/analysis/result.ts';
import type { CallMetricsBody, ChannelBody } from './line-schemas.ts';
import { rounded } from './result-fields.ts';
import type { SpeechResult } from './schemas.ts';
import { speakerLabel } from './speech-result.ts';

/** The part of a result that exports and metrics use. */
export function toExported(speech: SpeechResult, { outline }: RecordingResult): ExportedResult {
  const { duration, segments } = speech;
  return { duration, segments, ...(outline && { loudnessDb: outline.loudnessDb }) };
}

export function toMetricsBody(exported: ExportedResult): CallMetricsBody {
  const metrics = callMetrics(exported);
  return {
    duration_seconds: metrics.durationSeconds,
    talk_seconds: metrics.talkSeconds,
    silence_seconds: metrics.silenceSeconds,
    overlap_seconds: metrics.overlapSeconds,
    speakers: metrics.speakers.map((each) => ({
      speaker: each.speaker,
      talk_seconds: each.talkSeconds,
      talk_share: each.talkShare,
      turns: each.turns,
      longest_monologue_seconds: each.longestMonologueSeconds,
      words_per_minute: each.wordsPerMinute,
      interruptions: each.interruptions,
      loudness_dbfs: each.loudnessDbfs,
      emotions: [...each.emotions],
    })),
    emotion_over_time: [...metrics.emotionOverTime],
  };
}

/** Every channel of the recording, and missing channels that have a role. */
export function toChannels(
  { channelSpeechSeconds: seconds }: RecordingResult,
  roles: readonly string[],
): ChannelBody[] | null {
  if (!seconds) return null;
  return Array.from({ length: Math.max(seconds.length, roles.length) }, (_, channel) => {
    const spoken = seconds[channel];
    const state = spoken === undefined ? 'missing' : spoken === 0 ? 'silent' : 'speech';
    return {
      channel,
      role: roles[channel] ?? null,
      speaker: speakerLabel(channel),
      state,
      speech_seconds: rounded(spoken ?? 0, 3),
    };
  });
}
