// The form of OpenAI's transcription API: unsupported fields and values are rejected, never
// ignored.
import { z } from 'zod';
import type { ModelId } from '../../models/contract/catalog.ts';
import type { AnalysisOptions } from '../../models/contract/recording-request.ts';
import { commonModels, defaultModel, limitsOf } from '../../models/contract/served-models.ts';
import { booleanField, choiceField, fileField, modelField } from '../http/form-fields.ts';
import { checkForm } from '../http/form.ts';
import type { Fields } from '../http/multipart.ts';
import { invalid } from '../http/form-errors.ts';
import { describeAudioFile } from '../fields/audio-file.ts';
import { fixedLanguage, languageField } from '../fields/language.ts';
import { formatNumbersField, numberFormat } from '../fields/number-format.ts';
import { expectedTerms, keywordsField, keywordsName, vocabularyOf } from '../fields/vocabulary.ts';
import { requireDiarizer } from '../fields/speakers.ts';
import {
  granularities,
  openAiFormats,
  type Granularity,
  type OpenAiAnswer,
} from '../results/openai-answer.ts';

export interface OpenAiRequest {
  readonly model: ModelId;
  readonly options: AnalysisOptions;
  readonly answer: OpenAiAnswer;
}

/** OpenAI's model name, an alias of the default model. */
export const openAiModel = 'whisper-1';

/** A repeatable field, as OpenAI's clients send lists. */
export const granularitiesField = 'timestamp_granularities[]';

/** The formats that can be streamed as events. */
const streamedFormats = ['json', 'text', 'diarized_json'] as const;

/** A field of which only one value is supported. @param why the reason, shown to the caller */
function only(allowed: string, why: string) {
  const error = ({ path = [], input }: z.core.$ZodRawIssue): string => {
    const got = String(input).slice(0, 32);
    return `\`${path.join('.')}\` takes ${allowed}, got "${got}": ${why}.`;
  };
  return z.literal(allowed, { error }).optional();
}

const temperatureField = z
  .string()
  .refine((text) => /^0*\.?0*$/.test(text) && text.includes('0'), {
    error: '`temperature` must be 0: it is raised where a text is rejected, and only there.',
  })
  .optional()
  .meta({
    description: '0: raised only where a text is rejected.',
    override: { type: 'number', enum: [0] },
  });

const granularityList = z
  .string()
  .transform((text) => text.split('\n'))
  .pipe(
    z.array(
      z.enum(granularities, {
        error: ({ input }) =>
          `\`${granularitiesField}\` takes word and segment, got "${String(input).slice(0, 32)}".`,
      }),
    ),
  )
  .optional()
  .meta({
    description: 'Of `verbose_json`; default `segment`.',
    override: { type: 'array', items: { type: 'string', enum: [...granularities] } },
  });

export const openAiForm = z
  .strictObject({
    file: fileField(`${describeAudioFile(limitsOf(defaultModel))}.`),
    model: modelField([openAiModel, ...commonModels]),
    language: languageField.optional(),
    response_format: choiceField(openAiFormats).optional().meta({ description: 'Default `json`.' }),
    stream: booleanField('Server-sent events.'),
    temperature: temperatureField,
    format_numbers: formatNumbersField,
    prompt: z.string().optional().meta({
      description: 'Its names and listed terms are preferred where they sound alike.',
    }),
    [keywordsName]: keywordsField,
    [granularitiesField]: granularityList,
    chunking_strategy: only('auto', 'recordings are always cut in their pauses'),
  })
  .meta({ id: 'OpenAiTranscriptionRequest' });

/** @throws ServiceError unknown_field, invalid_field, model_..., diarization_unsupported */
export function parseOpenAiFields(fields: Fields): OpenAiRequest {
  const { values } = checkForm(fields, openAiForm);
  const model = values.model === openAiModel ? defaultModel : values.model;
  const { response_format: format = 'json', stream = false, language } = values;
  const wanted: readonly Granularity[] | undefined = values[granularitiesField];
  if (wanted !== undefined && format !== 'verbose_json') {
    const needed = '`response_format` verbose_json';
    const message = `\`${granularitiesField}\` needs ${needed}, got ${format}.`;
    throw invalid(granularitiesField, message);
  }
  if (stream && !(streamedFormats as readonly string[]).includes(format)) {
    const allowed = streamedFormats.join(', ');
    throw invalid('stream', `\`stream\` works with ${allowed}; \`response_format\` is ${format}.`);
  }
  const diarize = format === 'diarized_json';
  if (diarize) requireDiarizer(model, 'response_format');
  return {
    model,
    options: {
      ...{ diarize, numSpeakers: null, includeLogits: false },
      ...fixedLanguage(language),
      ...numberFormat(values.format_numbers === true),
      ...vocabularyOf(expectedTerms({ keywords: values[keywordsName], prompt: values.prompt })),
    },
    answer: { format, stream, granularities: wanted ?? ['segment'] },
  };
}
