// The fields of a proficiency request: interface.md, POST /v1/audio/proficiency.
import { proficiencyModel } from '../../models/contract/catalog.ts';
import { ignoredFields, requireModel } from '../speech/request.ts';
import type { Fields } from '../http/multipart.ts';
import { invalid } from '../http/refusals.ts';

/** contract.md: at most 20,000 characters, up to four bytes each. */
const maxTranscriptCharacters = 20_000;
export const maxTranscriptBytes = 4 * maxTranscriptCharacters;

export interface ProficiencyRequest {
  /** null: the recording is transcribed. */
  readonly transcript: string | null;
  /** Names of other fields, for a header. */
  readonly ignoredFields: readonly string[];
}

/** @throws ServiceError model_retired, model_not_supported, model_not_found, invalid_field */
export function parseProficiencyFields(fields: Fields): ProficiencyRequest {
  const ignored = ignoredFields(fields, ['model', 'transcript']);
  requireModel(fields.get('model') || proficiencyModel, [proficiencyModel]);
  const transcript = fields.get('transcript')?.trim() ?? '';
  const length = Array.from(transcript).length;
  if (length > maxTranscriptCharacters) {
    const most = `at most ${maxTranscriptCharacters} characters`;
    throw invalid('transcript', `\`transcript\` takes ${most}, it has ${length}.`);
  }
  if (transcript !== '' && !/[\p{L}\p{N}]/u.test(transcript)) {
    throw invalid('transcript', '`transcript` has no word in it.');
  }
  return {
    transcript: transcript === '' ? null : transcript,
    ignoredFields: ignored,
  };
}
