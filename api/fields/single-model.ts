// The strict form of a model that has no fields of its own: `file` and `model`, nothing else.
import { z } from 'zod';
import type { ModelId } from '../../models/contract/catalog.ts';
import { modelRow } from '../../models/contract/served-models.ts';
import { fileField, modelField } from '../http/form-fields.ts';
import { describeAudioFile } from './audio-file.ts';

/** @param id also accepted by its aliases */
export function fileAndModelForm(id: ModelId) {
  const { aliases = [], limits } = modelRow(id);
  return z.strictObject({
    file: fileField(`${describeAudioFile(limits)}.`),
    model: modelField([id, ...aliases]),
  });
}
