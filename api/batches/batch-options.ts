// Options of a batch, as requested and as stored.
import type { StoredBatch } from '../../db/batch-tables.ts';
import { checkDocument } from '../../db/stored-json.ts';
import { batchOptionsFormat, type BatchOptions } from '../../models/analysis/result/documents.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { taskSteps } from '../../models/contract/tasks.ts';
import { automatic, fixedLanguage } from '../fields/language.ts';
import { numberFormat } from '../fields/number-format.ts';
import { requireDiarizer } from '../fields/speakers.ts';
import { vocabularyOf } from '../fields/vocabulary.ts';
import type { BatchBody, BatchRequest } from './schemas.ts';

export function optionsOf({ options }: Pick<StoredBatch, 'options'>): BatchOptions {
  return checkDocument(batchOptionsFormat, options);
}

export function toOptionsBody(options: BatchOptions): BatchBody['options'] {
  return {
    diarize: options.diarize,
    num_speakers: options.numSpeakers,
    include_logits: options.includeLogits,
    language: options.language ?? automatic,
    format_numbers: options.formatNumbers ?? false,
    redact: [...(options.redactKinds ?? [])],
    redact_names: [...(options.redactNames ?? [])],
    vocabulary: [...(options.vocabulary ?? [])],
    channels: options.separateChannels ? 'separate' : 'mix',
    channel_roles: [...options.channelRoles],
  };
}

/** @throws ServiceError invalid_field for options that exclude each other */
export function checkOptions({
  task,
  model,
  options,
}: Pick<BatchRequest, 'task' | 'model' | 'options'>): BatchOptions {
  const { diarize, num_speakers: numSpeakers, include_logits: includeLogits } = options;
  const { channels, channel_roles: channelRoles, language } = options;
  const { format_numbers: formatNumbers } = options;
  const { redact: redactKinds, redact_names: redactNames } = options;
  const invalidOption = (param: string, reason: string): ServiceError =>
    new ServiceError('invalid_field', `\`${param}\` ${reason}.`, { param });
  if (diarize) requireDiarizer(model, 'options.diarize');
  if (numSpeakers !== null && !diarize) {
    throw invalidOption('options.num_speakers', 'requires `options.diarize` to be true');
  }
  if (includeLogits && task === 'transcription') {
    throw invalidOption(
      'options.include_logits',
      'must be false for transcription, which has no scores',
    );
  }
  if (formatNumbers && !taskSteps[task].words) {
    throw invalidOption('options.format_numbers', `must be false for ${task}, which has no text`);
  }
  for (const param of ['redact', 'redact_names', 'vocabulary'] as const) {
    if (options[param].length > 0 && !taskSteps[task].words)
      throw invalidOption(`options.${param}`, `must be empty for ${task}, which has no text`);
  }
  if (channels === 'separate' && diarize) {
    throw invalidOption(
      'options.diarize',
      'must be false with separate channels, each of which is one speaker',
    );
  }
  if (channels === 'mix' && channelRoles.length > 0) {
    throw invalidOption('options.channel_roles', 'requires `options.channels` to be separate');
  }
  if (new Set(channelRoles).size < channelRoles.length) {
    throw invalidOption('options.channel_roles', 'must not name a role twice');
  }
  const separate = channels === 'separate' && { separateChannels: true as const };
  return {
    diarize,
    numSpeakers,
    includeLogits,
    ...separate,
    ...fixedLanguage(language),
    ...numberFormat(formatNumbers),
    ...(redactKinds.length > 0 && { redactKinds }),
    ...(redactNames.length > 0 && { redactNames }),
    ...vocabularyOf(options.vocabulary),
    channelRoles,
  };
}
