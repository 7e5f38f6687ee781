// Names of speakers instead of their numbers; pure.
import type { ExportedResult } from './exported-result.ts';

/** The role of `speaker_0`, `speaker_1`, ...; speakers without a role keep their names. */
export function roleOf(speaker: string, roles: readonly string[]): string {
  const index = /^speaker_(\d+)$/.exec(speaker)?.[1];
  return index === undefined ? speaker : (roles[Number(index)] ?? speaker);
}

/**
 * Speakers of one role are one, with the number of the first; where each channel is a speaker, a
 * second is as loud as the loudest of theirs.
 */
export function mergeSpeakers(result: ExportedResult, roles: readonly string[]): ExportedResult {
  const { segments, loudnessDb } = result;
  const merged = (speaker: string): string => {
    const first = roles.indexOf(roleOf(speaker, roles));
    return first < 0 ? speaker : `speaker_${first}`;
  };
  return {
    ...result,
    segments: segments.map((each) => {
      return { ...each, speaker: each.speaker === null ? null : merged(each.speaker) };
    }),
    ...(loudnessDb && {
      loudnessDb: loudnessDb.map((levels, channel) => {
        const own = loudnessDb.filter((_, i) => merged(`speaker_${i}`) === `speaker_${channel}`);
        return levels.map((level, at) => Math.max(level, ...own.map((same) => same[at]!)));
      }),
    }),
  };
}

export function withRoles(result: ExportedResult, roles: readonly string[]): ExportedResult {
  const segments = result.segments.map((each) => {
    return { ...each, speaker: each.speaker === null ? null : roleOf(each.speaker, roles) };
  });
  return { ...result, segments };
}
