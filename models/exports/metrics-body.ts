// Call metrics under the names that callers read, in batches and in exports; pure.
import { callMetrics } from './call-metrics.ts';
import type { ExportedResult } from './exported-result.ts';
import { mergeSpeakers, roleOf } from './roles.ts';

/** @param roles of the speakers, one for all of a role; [] keeps `speaker_0`, `speaker_1`, ... */
export function metricsBody(result: ExportedResult, roles: readonly string[]) {
  const metrics = callMetrics(mergeSpeakers(result, roles));
  return {
    duration_seconds: metrics.durationSeconds,
    talk_seconds: metrics.talkSeconds,
    silence_seconds: metrics.silenceSeconds,
    overlap_seconds: metrics.overlapSeconds,
    words: metrics.words,
    low_confidence_words: metrics.lowConfidenceWords,
    speakers: metrics.speakers.map((each) => ({
      speaker: roleOf(each.speaker, roles),
      talk_seconds: each.talkSeconds,
      talk_share: each.talkShare,
      turns: each.turns,
      longest_monologue_seconds: each.longestMonologueSeconds,
      words_per_minute: each.wordsPerMinute,
      interruptions: each.interruptions,
      loudness_dbfs: each.loudnessDbfs,
      emotions: [...each.emotions],
    })),
    emotion_over_time: metrics.emotionOverTime.map((each) => {
      return { ...each, speaker: roleOf(each.speaker, roles) };
    }),
  };
}
