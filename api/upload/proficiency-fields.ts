// The fields of a proficiency request: interface.md, POST /v1/audio/proficiency.
import { retiredModelIds } from '../../models/catalog.ts';
import { ServiceError } from '../../models/errors.ts';
import { invalid, type Fields } from './multipart.ts';

export const proficiencyModel = 'svc-proficiency-1';

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
  checkModel(fields.get('model') || proficiencyModel);
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
    ignoredFields: [...fields.keys()].filter((name) => !['model', 'transcript'].includes(name)),
  };
}

/** Models of interface.md that other endpoints serve. */
const otherModels = /^(svc-(resonance|fourier|svceet|spectra-2|resonance-2)|resonance-2|svczero)$/;

function checkModel(id: string): void {
  if (id === proficiencyModel) return;
  const details = { param: 'model' };
  const allowed = `use ${proficiencyModel}`;
  if ((retiredModelIds as readonly string[]).includes(id)) {
    throw new ServiceError('model_retired', `The model ${id} is retired; ${allowed}.`, details);
  }
  if (otherModels.test(id)) {
    const message = `The model ${id} is not served by this endpoint; ${allowed}.`;
    throw new ServiceError('model_not_supported', message, details);
  }
  const message = `There is no model "${id.slice(0, 64)}"; ${allowed}.`;
  throw new ServiceError('model_not_found', message, details);
}
