// The strict shape of the lite model: interface.md, POST /v1/audio/transcriptions.
import { limitsOf, liteModel } from '../../models/contract/catalog.ts';
import type { AnalysisOptions } from '../../workflows/types.ts';
import { parseBoolean, parseSpeakers, refuseUnknown } from '../speech/request.ts';
import type { Fields } from '../http/multipart.ts';
import { bodyTooLarge, invalid } from '../http/refusals.ts';

export type LiteResponseFormat = 'json' | 'verbose_json' | 'text';

export interface LiteRequest {
  readonly emotionDetection: boolean;
  readonly responseFormat: LiteResponseFormat;
  readonly options: AnalysisOptions;
}

const known = [
  'model',
  'language',
  'response_format',
  'num_speakers',
  'emotion_detection',
  'diarize',
];
const languages = ['en', 'en-US', 'en-GB'];
const formats = ['json', 'verbose_json', 'text'] as const;
/** The whole multipart body, exactly. */
export const { maxFileBytes: maxLiteBodyBytes } = limitsOf(liteModel);

/** @throws ServiceError unknown_field, invalid_field, body_too_large */
export function parseLiteFields(fields: Fields, bodyBytes: number): LiteRequest {
  if (bodyBytes > maxLiteBodyBytes) throw bodyTooLarge(maxLiteBodyBytes, bodyBytes);
  refuseUnknown(fields, known, `of ${liteModel}; it takes ${known.join(', ')}`);
  oneOf('language', fields.get('language') || 'en', languages);
  const responseFormat = oneOf('response_format', fields.get('response_format') || 'json', formats);
  const emotionDetection = parseBoolean('emotion_detection', fields.get('emotion_detection'));
  const diarize = parseBoolean('diarize', fields.get('diarize'));
  const numSpeakers = parseSpeakers(fields.get('num_speakers'));
  if (numSpeakers !== null && !diarize) {
    throw invalid('num_speakers', '`num_speakers` needs `diarize` to be true.');
  }
  if (responseFormat === 'text' && (emotionDetection || diarize)) {
    const message =
      '`response_format` text has no room for emotion_detection or diarize; use json.';
    throw invalid('response_format', message);
  }
  const options = { diarize, numSpeakers, includeLogits: emotionDetection };
  return { emotionDetection, responseFormat, options };
}

function oneOf<T extends string>(param: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  const got = value.slice(0, 32);
  throw invalid(param, `\`${param}\` takes ${allowed.join(', ')}, got "${got}".`);
}
