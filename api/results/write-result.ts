// Serialises a stored result into the text of an answer; pure.
import { readDocument } from '../../db/stored-json.ts';
import { resultFormat } from '../../models/analysis/result/documents.ts';
import { redactResult } from '../../models/analysis/result/redact-result.ts';
import type { Redaction } from '../../models/contract/redaction.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import { exportFormats, type ExportFormat } from '../../models/exports/formats.ts';
import { metricsBody } from '../../models/exports/metrics-body.ts';
import type { RecordingResult } from '../../models/analysis/result/result.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import type { SpeechTask } from '../../models/contract/tasks.ts';
import { humeCsv, toHumePrediction, type HumeAnswer } from './hume-predictions.ts';
import { writeOpenAiAnswer, type OpenAiAnswer } from './openai-answer.ts';
import { jsonLine } from './json-line.ts';
import type { BatchResultBody } from './line-schemas.ts';
import { toChannels, toExported } from './call-metrics.ts';
import { toRecordingView } from './recording-view.ts';
import type { SpeechResult } from './schemas.ts';
import { toSpeechResult } from './speech-result.ts';

/** The run that a stored result belongs to. */
export interface ResultOrigin {
  readonly organizationId: string;
  readonly requestId: string;
  readonly attempt: number;
  readonly task: SpeechTask;
  readonly model: ModelId;
}

export type WantedText =
  /** The answer of a synchronous endpoint. */
  | { readonly kind: 'speech' }
  /** The answer of the endpoint for OpenAI's clients. */
  | { readonly kind: 'openai'; readonly answer: OpenAiAnswer }
  /** A line of a batch's results. */
  | {
      readonly kind: 'line';
      readonly item: Pick<BatchItem, 'customId' | 'position' | 'metadata'>;
      readonly channelRoles: readonly string[];
    }
  /** An item of a job for Hume's clients. */
  | { readonly kind: 'hume'; readonly form: 'json' | 'csv'; readonly answer: HumeAnswer }
  /** What the console shows of a batch's item. */
  | {
      readonly kind: 'recording';
      readonly redaction: Redaction | null;
      /** Names of the speakers in the order of their numbers. */
      readonly names: readonly string[];
      readonly channelRoles: readonly string[];
    }
  | {
      readonly kind: 'export';
      readonly format: ExportFormat;
      readonly recording: string;
      /** Names of the speakers in the order of their numbers. */
      readonly roles: readonly string[];
    };

/** @param stored JSON of a RecordingResult */
export function writeResult(stored: Uint8Array, origin: ResultOrigin, wanted: WantedText): string {
  const kept = readDocument(resultFormat, stored);
  const redaction = wanted.kind === 'recording' ? wanted.redaction : null;
  const result = redaction ? redactResult(kept, redaction) : kept;
  const speech = toSpeechResult(origin, { ...origin, result });
  switch (wanted.kind) {
    case 'speech':
      return JSON.stringify(speech);
    case 'openai':
      return writeOpenAiAnswer(speech, wanted.answer);
    case 'hume': {
      const prediction = toHumePrediction(speech, wanted.answer);
      return wanted.form === 'csv' ? humeCsv(prediction) : JSON.stringify(prediction);
    }
    case 'line':
      return writeLine(result, speech, wanted);
    case 'recording':
      return writeView(result, speech, wanted);
    case 'export':
      return writeExport(result, speech, wanted);
  }
}

function writeLine(
  result: RecordingResult,
  speech: SpeechResult,
  { item, channelRoles }: Extract<WantedText, { readonly kind: 'line' }>,
): string {
  const { customId, position, metadata } = item;
  const line: BatchResultBody = {
    custom_id: customId,
    index: position,
    status: 'completed',
    result: speech,
    channels: toChannels(result, channelRoles),
    metrics: metricsBody(toExported(speech, result), []),
    error: null,
    metadata,
  };
  return jsonLine(line);
}

function writeView(
  result: RecordingResult,
  speech: SpeechResult,
  { names, channelRoles }: Extract<WantedText, { readonly kind: 'recording' }>,
): string {
  const shown = { ...result, channels: toChannels(result, channelRoles) };
  return JSON.stringify(toRecordingView(toExported(speech, result), shown, names));
}

function writeExport(
  result: RecordingResult,
  speech: SpeechResult,
  { format, recording, roles }: Extract<WantedText, { readonly kind: 'export' }>,
): string {
  const peaks = result.outline?.peaks ?? [];
  const context = { recording, peaks, roles };
  return exportFormats[format].write(toExported(speech, result), context);
}
