// The form of a proficiency request: interface.md, POST /v1/audio/proficiency.
import { z } from 'zod';
import { maxTranscriptCharacters, type ModelId } from '../../models/contract/catalog.ts';
import { limitsOf, modelsOf, proficiencyModel } from '../../models/contract/served-models.ts';
import { fileField, modelField } from '../http/form-fields.ts';
import { checkForm } from '../http/form.ts';
import type { Fields } from '../http/multipart.ts';
import { describeAudioFile } from '../fields/audio-file.ts';

export interface ProficiencyRequest {
  readonly model: ModelId;
  /** null: the recording is transcribed. */
  readonly transcript: string | null;
  /** Names of unknown fields, to be reported in a header. */
  readonly ignoredFields: readonly string[];
}

/** Characters are code points; the error says how many there are. */
const transcriptField = z
  .string()
  .trim()
  .check(({ value, issues }) => {
    const length = Array.from(value).length;
    const reject = (message: string): void =>
      void issues.push({ code: 'custom', input: value, message });
    if (length > maxTranscriptCharacters) {
      const most = `at most ${maxTranscriptCharacters} characters`;
      reject(`\`transcript\` takes ${most}, got ${length}.`);
    } else if (value !== '' && !/[\p{L}\p{N}]/u.test(value)) {
      reject('`transcript` must contain a word.');
    }
  })
  .optional()
  .meta({
    description: 'The text that was read.',
    override: { maxLength: maxTranscriptCharacters },
  });

export const proficiencyForm = z
  .looseObject({
    file: fileField(`${describeAudioFile(limitsOf(proficiencyModel))}.`),
    model: modelField(modelsOf('proficiency')),
    transcript: transcriptField,
  })
  .meta({ id: 'ProficiencyRequest' });

/** @throws ServiceError model_retired, model_not_supported, model_not_found, invalid_field */
export function parseProficiencyFields(fields: Fields): ProficiencyRequest {
  const { values, ignored } = checkForm(fields, proficiencyForm);
  const { model, transcript = '' } = values;
  return { model, transcript: transcript === '' ? null : transcript, ignoredFields: ignored };
}
