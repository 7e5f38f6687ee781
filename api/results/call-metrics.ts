// What exports read of a stored result, and its channels as callers read them.
import type { ExportedResult } from '../../models/exports/exported-result.ts';
import type { RecordingResult } from '../../models/analysis/result/result.ts';
import type { ChannelBody } from './line-schemas.ts';
import { rounded } from './result-fields.ts';
import type { SpeechResult } from './schemas.ts';
import { speakerLabel } from './speech-result.ts';

/** The part of a result that exports and metrics use. */
export function toExported(speech: SpeechResult, { outline }: RecordingResult): ExportedResult {
  const { duration, language, segments } = speech;
  return { duration, language, segments, ...(outline && { loudnessDb: outline.loudnessDb }) };
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
