// The fields of the common file requests, from text to typed values: contract.md, "Request shapes".
import type { ParameterizedContext } from 'koa';
import {
  commonModels,
  liteModel,
  modelRefusal,
  spectraModel,
} from '../../models/contract/catalog.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { AnalysisOptions, FileModel, Task } from '../../workflows/types.ts';
import type { Fields } from '../http/multipart.ts';
import { invalid } from '../http/refusals.ts';

/** Tasks that answer a SpeechResult. */
export type SpeechTask = Exclude<Task, 'synthetic_speech'>;

export interface CommonRequest {
  readonly model: FileModel;
  readonly options: AnalysisOptions;
  /** Names of fields that the shape does not have: ignored, and named in a header. */
  readonly ignoredFields: readonly string[];
}

const maxSpeakers = 32;

/** Models of the same endpoint that have shapes of their own. */
const otherShapes: Readonly<Record<SpeechTask, readonly string[]>> = {
  transcription: [liteModel, spectraModel],
  analysis: [spectraModel],
  emotion: [],
  style: [],
  affect: [],
  proficiency: [],
};

/** @throws ServiceError of the 400 row for a value or a combination that is not allowed */
export function parseCommonFields(task: SpeechTask, fields: Fields): CommonRequest {
  const takesLogits = task !== 'transcription';
  const known = ['model', 'diarize', 'num_speakers', ...(takesLogits ? ['include_logits'] : [])];
  if (!takesLogits && fields.has('include_logits')) {
    const message = '`include_logits` is not a field of transcriptions; there are no scores.';
    throw new ServiceError('unknown_field', message, { param: 'include_logits' });
  }
  const ignored = ignoredFields(fields, known);
  const model = fields.get('model') || commonModels[0];
  requireModel(model, commonModels, otherShapes[task]);
  const diarize = parseBoolean('diarize', fields.get('diarize'));
  if (diarize) requireDiarizer(model, 'diarize');
  return {
    model: model as FileModel,
    options: {
      diarize,
      // Without diarize it has no effect: it is not looked at, nor part of the fingerprint.
      numSpeakers: diarize ? parseSpeakers(fields.get('num_speakers')) : null,
      includeLogits: parseBoolean('include_logits', fields.get('include_logits')),
    },
    ignoredFields: ignored,
  };
}

/** @throws ServiceError diarization_unsupported */
export function requireDiarizer(model: string, param: string): void {
  if (model === 'svc-resonance') return;
  const message = `\`diarize\` works with svc-resonance, not with ${model}.`;
  throw new ServiceError('diarization_unsupported', message, { param });
}

/**
 * @param served ids that the shape takes
 * @param others ids that the endpoint takes in other shapes
 * @throws ServiceError model_retired, model_not_supported, model_not_found
 */
export function requireModel(
  id: string,
  served: readonly string[],
  others: readonly string[] = [],
): void {
  if (served.includes(id)) return;
  const { code, message } = modelRefusal(id, [...served, ...others]);
  throw new ServiceError(code, message, { param: 'model' });
}

/** true, false, 1, 0 in any case; empty text counts as absent, which is false. */
export function parseBoolean(param: string, text: string | undefined): boolean {
  switch ((text ?? '').toLowerCase()) {
    case 'true':
    case '1':
      return true;
    case '':
    case 'false':
    case '0':
      return false;
    default: {
      const message = `\`${param}\` takes true, false, 1 or 0, got "${text?.slice(0, 32)}".`;
      throw new ServiceError('invalid_field', message, { param });
    }
  }
}

/** A whole number from 1 to 32, or null when absent. */
export function parseSpeakers(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= maxSpeakers) return count;
  const got = `got "${text.slice(0, 32)}"`;
  const message = `\`num_speakers\` takes a whole number from 1 to ${maxSpeakers}, ${got}.`;
  throw new ServiceError('invalid_field', message, { param: 'num_speakers' });
}

/**
 * For strict shapes. @param owner the end of the refusal, after "`x` is not a field"
 * @throws ServiceError unknown_field
 */
export function refuseUnknown(fields: Fields, known: readonly string[], owner: string): void {
  const [unknown] = ignoredFields(fields, known);
  if (unknown === undefined) return;
  const param = unknown.slice(0, 64);
  throw new ServiceError('unknown_field', `\`${param}\` is not a field ${owner}.`, { param });
}

/**
 * Names of fields and files that a shape does not have, whatever they hold.
 * @throws ServiceError invalid_field for a field of the shape that could not be read
 */
export function ignoredFields(fields: Fields, known: readonly string[]): readonly string[] {
  const cut = known.find((name) => fields.unusable.has(name));
  if (cut !== undefined) {
    throw invalid(cut, `\`${cut}\` takes text of at most ${fields.maxFieldBytes} bytes.`);
  }
  return [...fields.keys(), ...fields.unusable].filter((name) => !known.includes(name));
}

/** Names the fields that were ignored: what is not a plain name is percent-encoded. */
export function nameIgnoredFields(
  ctx: Pick<ParameterizedContext, 'set'>,
  names: readonly string[],
): void {
  if (names.length === 0) return;
  const encoded = names.map((name) => encodeURIComponent(name.slice(0, 64).toWellFormed()));
  ctx.set('X-Svc-Ignored-Fields', encoded.join(', '));
}
