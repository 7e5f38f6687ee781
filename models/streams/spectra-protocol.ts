// The Spectra-2 stream as a state machine: contract.md, "Spectra-2 stream". Pure; never throws.
import {
  closeCodes,
  frameFailure,
  idleFailure,
  maxFrameBytes,
  parseMessage,
  sampleBytes,
  streamSampleRate,
  tooLongFailure,
  tooShortFailure,
  type Step,
  type StreamEffect,
  type StreamEvent,
  type StreamFailure,
} from './protocol.ts';

export type SpectraTask = 'transcription' | 'analysis';

/** What is known before the first message. */
export interface SpectraContext {
  /** Fixed by the ticket; null for a server with its key. */
  readonly ticket: { readonly task: SpectraTask; readonly requestId: string } | null;
  /** `X-Request-ID` of the upgrade; null when there was none. */
  readonly headerRequestId: string | null;
}

export interface SpectraStart {
  readonly task: SpectraTask;
  /** null lets the server choose. */
  readonly requestId: string | null;
}

export interface SpectraAdmitted {
  readonly requestId: string;
  readonly task: SpectraTask;
  readonly maxAudioSeconds: number;
  readonly expiresAtMs: number | null;
}

export interface SpectraState {
  readonly context: SpectraContext;
  readonly phase: 'opened' | 'admitting' | 'recording' | 'finishing' | 'closed';
  readonly bytes: number;
  readonly maxAudioSeconds: number;
  readonly requestId: string | null;
  /** What came while the request was being admitted. */
  readonly backlog: readonly StreamEvent<SpectraAdmitted>[];
}

type Event = StreamEvent<SpectraAdmitted>;
type SpectraStep = Step<SpectraState, SpectraStart>;

export const spectraModel = 'svc-spectra-2';
const minSeconds = 0.045;
/** contract.md: a recording of a server with its key. */
const maxSeconds = 60;
const maxBacklogBytes = maxSeconds * streamSampleRate * sampleBytes;

export function openSpectra(context: SpectraContext): SpectraState {
  return {
    context,
    phase: 'opened',
    bytes: 0,
    maxAudioSeconds: maxSeconds,
    requestId: context.ticket?.requestId ?? context.headerRequestId,
    backlog: [],
  };
}

export function stepSpectra(state: SpectraState, event: Event): SpectraStep {
  if (state.phase === 'closed') return { state, effects: [] };
  switch (event.kind) {
    case 'gone':
      return closed(state, [{ do: 'abandon' }]);
    case 'failed':
      return failed(state, event.failure);
    case 'idle':
      return state.phase === 'finishing' ? { state, effects: [] } : failed(state, idleFailure);
    case 'expired':
      return state.phase === 'finishing' ? { state, effects: [] } : failed(state, expiredFailure);
    case 'admitted':
      return admitted(state, event.admitted);
    case 'result':
      return result(state, event.message);
    case 'text':
    case 'binary':
      return state.phase === 'admitting' ? held(state, event) : message(state, event);
  }
}

const expiredFailure: StreamFailure = {
  code: 'session_expired',
  message: 'The prepared session ended before the recording was finished.',
  param: null,
  close: closeCodes.deadline,
};

function message(state: SpectraState, event: Event & { kind: 'text' | 'binary' }): SpectraStep {
  if (event.kind === 'binary') return audio(state, event.data);
  const parsed = parseMessage(event.text);
  if (!parsed) return refuse(state, 'invalid_json', 'A text frame holds one JSON object.');
  switch (parsed.type) {
    case 'start':
      return start(state, parsed);
    case 'finish':
      return finish(state, parsed);
    case 'cancel':
      return cancel(state, parsed);
    default:
      return refuse(state, 'invalid_field', '`type` takes start, finish or cancel.', 'type');
  }
}

function start(state: SpectraState, parsed: Readonly<Record<string, unknown>>): SpectraStep {
  if (state.phase !== 'opened') {
    return refuse(state, 'invalid_field', 'The stream was started before.', 'type');
  }
  const unknown = unknownMember(parsed, ['type', 'model', 'task', 'request_id']);
  if (unknown !== null) return refuseMember(state, unknown);
  const { ticket, headerRequestId } = state.context;
  const { model, task, request_id: requestId } = parsed;
  if (model !== spectraModel && !(ticket && model === undefined)) {
    return refuse(state, 'invalid_field', `\`model\` takes ${spectraModel}.`, 'model');
  }
  const wanted = task === undefined && ticket ? ticket.task : task;
  if (wanted !== 'transcription' && wanted !== 'analysis') {
    return refuse(state, 'invalid_field', '`task` takes transcription or analysis.', 'task');
  }
  if (ticket && wanted !== ticket.task) {
    return refuse(state, 'invalid_field', `The ticket is for ${ticket.task}.`, 'task');
  }
  if (requestId !== undefined && !isRequestId(requestId)) {
    const text = '`request_id` takes 1 to 128 visible ASCII characters.';
    return refuse(state, 'invalid_request_id', text, 'request_id');
  }
  for (const known of [ticket?.requestId, headerRequestId]) {
    if (requestId !== undefined && known != null && requestId !== known) {
      const text = '`request_id` is not the id that the stream was opened with.';
      return refuse(state, 'invalid_field', text, 'request_id');
    }
  }
  const id = state.requestId ?? requestId ?? null;
  return {
    state: { ...state, phase: 'admitting', requestId: id },
    effects: [{ do: 'admit', start: { task: wanted, requestId: id } }],
  };
}

function admitted(state: SpectraState, values: SpectraAdmitted): SpectraStep {
  if (state.phase !== 'admitting') return { state, effects: [] };
  const { requestId, task, maxAudioSeconds, expiresAtMs } = values;
  const ready = {
    type: 'ready',
    request_id: requestId,
    model: spectraModel,
    task,
    sample_rate: streamSampleRate,
    encoding: 'pcm_s16le',
    channels: 1,
    max_frame_bytes: maxFrameBytes,
    max_audio_seconds: maxAudioSeconds,
    expires_at_ms: expiresAtMs,
  };
  const effects: StreamEffect<SpectraStart>[] = [{ do: 'send', message: ready }];
  let next: SpectraState = {
    ...state,
    phase: 'recording',
    bytes: 0,
    requestId,
    maxAudioSeconds,
    backlog: [],
  };
  for (const event of state.backlog) {
    const step = stepSpectra(next, event);
    next = step.state;
    effects.push(...step.effects);
  }
  return { state: next, effects };
}

/** What comes before `ready` waits for it, up to a whole recording. */
function held(state: SpectraState, event: Event & { kind: 'text' | 'binary' }): SpectraStep {
  const bytes = state.bytes + (event.kind === 'binary' ? event.data.length : event.text.length);
  if (bytes > maxBacklogBytes) return failed(state, tooLongFailure(maxSeconds));
  const isCancel = event.kind === 'text' && parseMessage(event.text)?.type === 'cancel';
  if (isCancel) return message(state, event);
  return { state: { ...state, bytes, backlog: [...state.backlog, event] }, effects: [] };
}

function audio(state: SpectraState, data: Uint8Array): SpectraStep {
  if (state.phase !== 'recording') {
    const when = state.phase === 'opened' ? 'before it was started' : 'after it was finished';
    return refuse(state, 'invalid_field', `Audio was sent ${when}.`);
  }
  const failure = frameFailure(data.length);
  if (failure) {
    const code = failure.code === 'frame_too_large' ? 'body_too_large' : failure.code;
    return failed(state, { ...failure, code });
  }
  const bytes = state.bytes + data.length;
  if (bytes > state.maxAudioSeconds * streamSampleRate * sampleBytes) {
    return failed(state, tooLongFailure(state.maxAudioSeconds));
  }
  return { state: { ...state, bytes }, effects: [{ do: 'record', data }] };
}

function finish(state: SpectraState, parsed: Readonly<Record<string, unknown>>): SpectraStep {
  const unknown = unknownMember(parsed, ['type']);
  if (unknown !== null) return refuseMember(state, unknown);
  if (state.phase !== 'recording') {
    const when = state.phase === 'opened' ? 'was not started' : 'was finished before';
    return refuse(state, 'invalid_field', `The stream ${when}.`, 'type');
  }
  if (state.bytes < minSeconds * streamSampleRate * sampleBytes) {
    return failed(state, tooShortFailure(state.bytes, minSeconds));
  }
  return { state: { ...state, phase: 'finishing' }, effects: [{ do: 'finish' }] };
}

function cancel(state: SpectraState, parsed: Readonly<Record<string, unknown>>): SpectraStep {
  const unknown = unknownMember(parsed, ['type']);
  if (unknown !== null) return refuseMember(state, unknown);
  return closed(state, [{ do: 'abandon' }, { do: 'close', code: closeCodes.done }]);
}

function result(state: SpectraState, body: object): SpectraStep {
  if (state.phase !== 'finishing') return { state, effects: [] };
  return closed(state, [
    { do: 'send', message: body },
    { do: 'close', code: closeCodes.done },
  ]);
}

function refuse(
  state: SpectraState,
  code: string,
  text: string,
  param: string | null = null,
): SpectraStep {
  return failed(state, { code, message: text, param, close: closeCodes.policy });
}

function refuseMember(state: SpectraState, name: string): SpectraStep {
  const member = name.slice(0, 64);
  return refuse(state, 'unknown_field', `\`${member}\` is not a member of this message.`, member);
}

/** The envelope's error is filled in by whoever sends it: it knows the types of the codes. */
function failed(state: SpectraState, failure: StreamFailure): SpectraStep {
  const { code, message: text, param, close } = failure;
  const error = { code, message: text, param, request_id: state.requestId };
  return closed(state, [
    { do: 'abandon' },
    { do: 'send', message: { type: 'error', error } },
    { do: 'close', code: close },
  ]);
}

function closed(
  state: SpectraState,
  effects: readonly StreamEffect<SpectraStart>[],
): SpectraStep {
  return { state: { ...state, phase: 'closed', backlog: [] }, effects };
}

function unknownMember(
  parsed: Readonly<Record<string, unknown>>,
  known: readonly string[],
): string | null {
  return Object.keys(parsed).find((name) => !known.includes(name)) ?? null;
}

function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value);
}
