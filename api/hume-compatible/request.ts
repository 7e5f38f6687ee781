// The request of a job, as Hume's clients write it: what cannot be honoured is rejected.
import { z } from 'zod';
import { defaultModel, limitsOf } from '../../models/contract/served-models.ts';
import { sourceField } from '../files/schemas.ts';
import { fileField } from '../http/form-fields.ts';
import { checkForm } from '../http/form.ts';
import { invalid } from '../http/form-errors.ts';
import { checkJson, parseJson } from '../http/parse-json.ts';
import { humeGranularities, type HumeGranularity } from '../results/hume-schemas.ts';
import { checkAudioFile, describeAudioFile } from '../fields/audio-file.ts';
import type { Form } from '../upload/receive.ts';

const maxUrls = 100;

const models = z.strictObject({
  prosody: z.strictObject({
    granularity: z.enum(humeGranularities).default('utterance'),
    identify_speakers: z.boolean().default(false),
  }),
});

const unused = {
  callback_url: z.null().optional().describe('Not supported: use a webhook of a batch.'),
  notify: z.literal(false).optional(),
};

const fileRequest = z.strictObject({ models, ...unused });

export const humeUrlRequest = z
  .strictObject({
    models,
    urls: z.array(sourceField).min(1).max(maxUrls),
    ...unused,
  })
  .meta({ id: 'HumeJobRequest' });

export const humeForm = z
  .strictObject({
    file: fileField(`${describeAudioFile(limitsOf(defaultModel))}.`),
    json: z.string().meta({
      description: '`{"models":{"prosody":{…}}}` as text.',
      example: '{"models":{"prosody":{}}}',
    }),
  })
  .meta({ id: 'HumeJobForm' });

export interface HumeConfig {
  readonly granularity: HumeGranularity;
  readonly identifySpeakers: boolean;
}

export function configOf({ prosody }: z.output<typeof models>): HumeConfig {
  return { granularity: prosody.granularity, identifySpeakers: prosody.identify_speakers };
}

/** @throws ServiceError for fields and values that have no meaning here, and for the file */
export function parseHumeForm(form: Form): HumeConfig {
  const { values } = checkForm(form.fields, humeForm);
  checkAudioFile(form, defaultModel);
  return configOf(checkJson(parseField(values.json), fileRequest).models);
}

function parseField(text: string): unknown {
  const value = parseJson(Buffer.from(text));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalid('json', '`json` must be an object with `models`.');
}
