// The common form, one per task, and which form a request to a shared endpoint has.
import { z } from 'zod';
import { ServiceError } from '../../models/contract/errors.ts';
import {
  commonModels,
  defaultModel,
  limitsOf,
  servedAt,
} from '../../models/contract/served-models.ts';
import { sharedTasks, taskSteps, type SharedTask } from '../../models/contract/tasks.ts';
import { booleanField, fileField, modelField, readBoolean } from '../http/form-fields.ts';
import { checkForm } from '../http/form.ts';
import type { Fields } from '../http/multipart.ts';
import { describeAudioFile } from '../fields/audio-file.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import type { AnalysisOptions } from '../../models/contract/recording-request.ts';
import { fixedLanguage, languageField } from '../fields/language.ts';
import { formatNumbersField, numberFormat } from '../fields/number-format.ts';
import { redactionFields } from '../fields/redaction.ts';
import { redactionOf } from '../../models/redaction/redaction-of.ts';
import { vocabularyField, vocabularyOf } from '../fields/vocabulary.ts';
import { requireDiarizer, speakerFields } from '../fields/speakers.ts';

export interface CommonRequest {
  readonly model: ModelId;
  readonly options: AnalysisOptions;
  /** Names of unknown fields: they are ignored and reported in a header. */
  readonly ignoredFields: readonly string[];
}

const logitsField = {
  include_logits: booleanField('`scores` and `raw_logits` of every label.'),
};

const writtenFields = {
  ...{ format_numbers: formatNumbersField, vocabulary: vocabularyField },
  ...redactionFields,
};

function commonForm(task: SharedTask) {
  const served = servedAt(task);
  const common = commonModels.filter((id) => served.some((model) => model.id === id));
  const others = served.filter(({ shape }) => shape !== 'common').map(({ id }) => id);
  const fields = {
    file: fileField(`${describeAudioFile(limitsOf(defaultModel))}.`),
    model: modelField(common as [ModelId, ...ModelId[]], others),
    ...speakerFields,
    language: languageField.optional(),
  };
  const all = { ...fields, ...logitsField, ...writtenFields };
  const { scores, words } = taskSteps[task];
  const own = { ...fields, ...(scores && logitsField), ...(words && writtenFields) };
  return z.looseObject(own as typeof all);
}

/** The common form of each task. */
export const commonForms = Object.fromEntries(
  sharedTasks.map((task) => [task, commonForm(task)]),
) as Readonly<Record<SharedTask, ReturnType<typeof commonForm>>>;

/** @throws ServiceError unknown_field, invalid_field, model_..., diarization_unsupported */
export function parseCommonFields(task: SharedTask, fields: Fields): CommonRequest {
  const namesLogits = fields.has('include_logits') || fields.unusable.has('include_logits');
  if (!taskSteps[task].scores && namesLogits) {
    const message = '`include_logits` is not a field of transcriptions, which have no scores.';
    throw new ServiceError('unknown_field', message, { param: 'include_logits' });
  }
  // Without diarize it has no effect, so it is neither validated nor part of the fingerprint.
  const unvalidated = readBoolean(fields.get('diarize')) === true ? [] : ['num_speakers'];
  const { values, ignored } = checkForm(fields, commonForms[task], unvalidated);
  const { model, diarize = false, num_speakers: numSpeakers = null } = values;
  if (diarize) requireDiarizer(model, 'diarize');
  const options = {
    ...{ diarize, numSpeakers, includeLogits: values.include_logits ?? false },
    ...fixedLanguage(values.language),
    ...numberFormat(values.format_numbers === true),
    ...redactionOf({ kinds: values.redact, names: values.redact_names }),
    ...vocabularyOf(values.vocabulary),
  };
  return { model, options, ignoredFields: ignored };
}
