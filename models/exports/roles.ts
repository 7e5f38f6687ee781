// Names of speakers instead of their numbers; pure.
import type { ExportedResult } from './result.ts';

/** The role of `speaker_0`, `speaker_1`, ...; speakers without a role keep their names. */
export function roleOf(speaker: string, roles: readonly string[]): string {
  const index = /^speaker_(\d+)$/.exec(speaker)?.[1];
  return index === undefined ? speaker : (roles[Number(index)] ?? speaker);
}

export function withRoles(result: ExportedResult, roles: readonly string[]): ExportedResult {
  const segments = result.segments.map((each) => {
    return { ...each, speaker: each.speaker === null ? null : roleOf(each.speaker, roles) };
  });
  return { ...result, segments };
}
