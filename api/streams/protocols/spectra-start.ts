// Validates the start message of the Spectra-2 stream against the parameters of its upgrade; pure.
import { isRequestId, requestIdError } from '../../../models/contract/request-id.ts';
import { modelError, spectraModel } from '../../../models/contract/served-models.ts';
import { closeCodes, type StreamFailure } from './protocol.ts';
import { isFailure, readStreamTerms, type VocabularyRule } from './vocabulary.ts';
import type { SpectraTask } from '../../../models/contract/tasks.ts';

/** What is known before the first message. */
export interface SpectraContext {
  /** Fixed by the ticket; null for a server with its key. */
  readonly ticket: { readonly task: SpectraTask; readonly requestId: string } | null;
  /** `X-Request-ID` of the upgrade; null when there was none. */
  readonly headerRequestId: string | null;
  /** `X-Request-ID` of the answer: the stream's id, unless its start has another one. */
  readonly answerId: string;
  readonly vocabulary: VocabularyRule;
}

export interface SpectraStart {
  readonly task: SpectraTask;
  /** null lets the server choose. */
  readonly requestId: string | null;
  /** Terms that recognition prefers. */
  readonly vocabulary: readonly string[];
}

type Message = Readonly<Record<string, unknown>>;

/** The parameters of the stream, or the reason why they are rejected. */
export function readStart(parsed: Message, context: SpectraContext): SpectraStart | StreamFailure {
  const { ticket, vocabulary: rule } = context;
  const extra = rule === 'unknown' ? [] : ['vocabulary'];
  const unknown = unknownMember(parsed, ['type', 'model', 'task', 'request_id', ...extra]);
  if (unknown) return unknown;
  const { model } = parsed;
  if (model !== spectraModel && !(ticket && model === undefined)) return modelFailure(model);
  const task = parsed.task === undefined && ticket ? ticket.task : parsed.task;
  if (task !== 'transcription' && task !== 'analysis') {
    return invalid('task', '`task` must be transcription or analysis.');
  }
  if (ticket && task !== ticket.task)
    return invalid('task', `\`task\` must be ${ticket.task}, the task of the ticket.`);
  const requestId = readRequestId(parsed.request_id, context);
  if (typeof requestId === 'object' && requestId) return requestId;
  const { vocabulary: given = [] } = parsed;
  const vocabulary = readStreamTerms(given, { model: spectraModel, rule }, 'vocabulary');
  return isFailure(vocabulary) ? vocabulary : { task, requestId, vocabulary };
}

function modelFailure(model: unknown): StreamFailure {
  if (typeof model !== 'string') return invalid('model', `\`model\` must be ${spectraModel}.`);
  return { ...modelError(model, [spectraModel]), param: 'model', close: closeCodes.policy };
}

function readRequestId(
  given: unknown,
  { ticket, headerRequestId }: SpectraContext,
): string | null | StreamFailure {
  const known = ticket?.requestId ?? headerRequestId;
  if (given === undefined) return known;
  if (!isRequestId(given)) {
    const text = requestIdError('`request_id`', typeof given === 'string' ? given : '');
    return { ...invalid('request_id', text), code: 'invalid_request_id' };
  }
  if (known === null || given === known) return given;
  return invalid('request_id', '`request_id` differs from the id that the stream was opened with.');
}

/** The error of a message with an unknown member, or null. */
export function unknownMember(parsed: Message, known: readonly string[]): StreamFailure | null {
  const name = Object.keys(parsed).find((member) => !known.includes(member));
  if (name === undefined) return null;
  const member = name.slice(0, 64);
  const taken = known.join(', ');
  const message = `\`${member}\` is not a member of this message; it takes ${taken}.`;
  return { ...invalid(member, message), code: 'unknown_field' };
}

function invalid(param: string, message: string): StreamFailure {
  return { code: 'invalid_field', message, param, close: closeCodes.policy };
}
