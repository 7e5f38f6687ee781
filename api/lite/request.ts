// The strict shape of the lite model: interface.md, POST /v1/audio/transcriptions.
import { z } from 'zod';
import { limitsOf, liteModel, modelsOf } from '../../models/contract/served-models.ts';
import type { AnalysisOptions } from '../../models/contract/recording-request.ts';
import { booleanField, choiceField, fileField, modelField } from '../http/form-fields.ts';
import { checkForm } from '../http/form.ts';
import type { Fields } from '../http/multipart.ts';
import { invalid } from '../http/form-errors.ts';
import { speakerFields } from '../fields/speakers.ts';
import { describeAudioFile } from '../fields/audio-file.ts';

const formats = ['json', 'verbose_json', 'text'] as const;
export type LiteResponseFormat = (typeof formats)[number];

export interface LiteRequest {
  readonly emotionDetection: boolean;
  readonly responseFormat: LiteResponseFormat;
  readonly options: AnalysisOptions;
}

export const liteLanguages = ['en', 'en-US', 'en-GB'] as const;
const only = `\`${liteModel}\``;

export const liteForm = z.strictObject({
  file: fileField(`${describeAudioFile(limitsOf(liteModel))}.`),
  model: modelField(modelsOf('lite')),
  language: choiceField(liteLanguages)
    .optional()
    .meta({ description: `${only}.` }),
  response_format: choiceField(formats)
    .optional()
    .meta({ description: `${only}; absent: json. Optional tasks need JSON.` }),
  ...speakerFields,
  emotion_detection: booleanField(`${only}: emotions of the clip and its segments.`),
});

/** @throws ServiceError unknown_field, invalid_field */
export function parseLiteFields(fields: Fields): LiteRequest {
  const { values } = checkForm(fields, liteForm);
  const { diarize = false, num_speakers: numSpeakers = null } = values;
  const { emotion_detection: emotionDetection = false } = values;
  const { response_format: responseFormat = 'json' } = values;
  if (numSpeakers !== null && !diarize) {
    throw invalid('num_speakers', '`num_speakers` requires `diarize` to be true.');
  }
  if (responseFormat === 'text' && (emotionDetection || diarize)) {
    const message =
      '`response_format` text cannot represent emotion_detection or diarize; use json.';
    throw invalid('response_format', message);
  }
  const options = { diarize, numSpeakers, includeLogits: emotionDetection };
  return { emotionDetection, responseFormat, options };
}
