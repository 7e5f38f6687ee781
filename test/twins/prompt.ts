// The tokens before those of the text.
import type { WhisperTokens } from '../../bin/conversion/whisper-tokens.ts';
import { manifestOf } from '../../models/bundles/manifests.ts';

export function promptOf(
  { isMultilingual, tokens }: WhisperTokens,
  language: string,
): readonly number[] {
  const { startOfTranscript, transcribe, noTimestamps } = tokens;
  const { languageTokens } = manifestOf('whisper-base', 'whisper');
  return isMultilingual
    ? [startOfTranscript, languageTokens[language]!, transcribe, noTimestamps]
    : [startOfTranscript, noTimestamps];
}
