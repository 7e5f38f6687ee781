// The form of a file that is uploaded for a batch.
import { z } from 'zod';
import { defaultModel, limitsOf } from '../../models/contract/served-models.ts';
import { storedFilename } from '../../models/contract/stored-file.ts';
import { lifetimeLimits } from './schemas.ts';
import { choiceField, fileField, wholeNumberField } from '../http/form-fields.ts';
import { checkForm } from '../http/form.ts';
import { checkAudioFile, describeAudioFile } from '../fields/audio-file.ts';
import type { Form } from '../upload/receive.ts';

export interface FileRequest {
  readonly filename: string;
  readonly lifetimeSeconds: number;
}

export const fileForm = z
  .strictObject({
    file: fileField(`${describeAudioFile(limitsOf(defaultModel))}.`),
    purpose: choiceField(['batch']).optional(),
    'expires_after[anchor]': choiceField(['created_at']).optional(),
    'expires_after[seconds]': wholeNumberField(lifetimeLimits)
      .optional()
      .meta({ description: 'Absent: 30 days.' }),
  })
  .meta({ id: 'FileRequest' });

/** @throws ServiceError unknown_field, invalid_field, unsupported_audio */
export function parseFileFields(form: Form): FileRequest {
  const { fields, filename } = form;
  const { values } = checkForm(fields, fileForm);
  checkAudioFile(form, defaultModel);
  return {
    filename: storedFilename(filename),
    lifetimeSeconds: values['expires_after[seconds]'] ?? lifetimeLimits.max,
  };
}
