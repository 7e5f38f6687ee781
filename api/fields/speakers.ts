// The form fields of diarization, `diarize` and `num_speakers`, which several forms share.
import type { ModelId } from '../../models/contract/catalog.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { commonModels, models } from '../../models/contract/served-models.ts';
import { booleanField, wholeNumberField } from '../http/form-fields.ts';

export const maxSpeakers = 32;

const diarizers = models.filter(({ tasks }) => tasks.includes('diarization')).map(({ id }) => id);
const commonDiarizers = commonModels.filter((id) => (diarizers as string[]).includes(id));

export const speakerFields = {
  diarize: booleanField(`Speaker turns; ${quoted(diarizers)}.`),
  num_speakers: wholeNumberField({ min: 1, max: maxSpeakers })
    .optional()
    .meta({ description: 'Exact number.' }),
};

/** @throws ServiceError diarization_unsupported */
export function requireDiarizer(model: ModelId, param: string): void {
  if (diarizers.includes(model)) return;
  const message = `Diarization needs ${commonDiarizers.join(' or ')}, got ${model}.`;
  throw new ServiceError('diarization_unsupported', message, { param });
}

function quoted(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(' and ');
}
