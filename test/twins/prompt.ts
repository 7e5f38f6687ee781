// The tokens before those of the text.
import type { Vocabulary } from '../../bin/conversion/whisper-vocabulary.ts';
import { manifestOf } from '../../models/bundles/manifests.ts';

export function promptOf(
  { isMultilingual, tokens }: Vocabulary,
  language: string,
): readonly number[] {
  const { startOfTranscript, transcribe, noTimestamps } = tokens;
  const { languageTokens } = manifestOf('whisper-base', 'whisper');
  return isMultilingual
    ? [startOfTranscript, languageTokens[language]!, transcribe, noTimestamps]
    : [startOfTranscript, noTimestamps];
}
