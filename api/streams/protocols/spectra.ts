// The Spectra-2 stream as a state machine: contract.md, "Spectra-2 stream". Pure; never throws.
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import { limitsOf, spectraModel } from '../../../models/contract/served-models.ts';
import {
  bytesPerSecond,
  closeCodes,
  envelopeCode,
  faultOf,
  frameFailure,
  idleFailure,
  maxFrameBytes,
  parseMessage,
  replay,
  tooLongFailure,
  tooShortFailure,
  type Step,
  type StreamEffect,
  type StreamEvent,
  type StreamFailure,
} from './protocol.ts';
import { addToBacklog, backlogEvents, type Backlog, type MessageEvent } from './backlog.ts';
import {
  readStart,
  unknownMember,
  type SpectraContext,
  type SpectraStart,
} from './spectra-start.ts';
import type { SpectraTask } from '../../../models/contract/tasks.ts';

export interface SpectraAdmitted {
  readonly requestId: string;
  readonly task: SpectraTask;
  readonly maxAudioSeconds: number;
  readonly expiresAtMs: number | null;
}

export interface SpectraState extends Backlog {
  readonly context: SpectraContext;
  readonly phase: 'opened' | 'admitting' | 'recording' | 'finishing' | 'closed';
  readonly maxAudioSeconds: number;
  readonly requestId: string;
}

type Event = StreamEvent<SpectraAdmitted>;
type SpectraStep = Step<SpectraState, SpectraStart>;

const { minSeconds, maxSeconds } = limitsOf(spectraModel);

export function openSpectra(context: SpectraContext): SpectraState {
  return {
    context,
    phase: 'opened',
    bytes: 0,
    maxAudioSeconds: maxSeconds,
    requestId: context.answerId,
    backlog: null,
  };
}

export function stepSpectra(state: SpectraState, event: Event): SpectraStep {
  if (state.phase === 'closed') return { state, effects: [] };
  switch (event.kind) {
    case 'gone':
      return closed(state, [{ do: 'abandon', fault: 'client' }]);
    case 'failed':
      return failed(state, event.failure);
    case 'idle':
    case 'expired':
      if (state.phase === 'finishing') return { state, effects: [] };
      return failed(state, event.kind === 'idle' ? idleFailure : expiredFailure);
    case 'admitted':
      return admitted(state, event.admitted);
    case 'result':
      return result(state, event.message);
    case 'interim': {
      const isOpen = state.phase === 'recording' || state.phase === 'finishing';
      return { state, effects: isOpen ? [{ do: 'send', message: event.message }] : [] };
    }
    case 'text':
    case 'binary':
      return state.phase === 'admitting' ? buffered(state, event) : message(state, event);
  }
}

const expiredFailure: StreamFailure = {
  code: 'session_expired',
  message: 'The prepared session expired before the recording was finished.',
  param: null,
  close: closeCodes.deadline,
};

function message(state: SpectraState, event: MessageEvent): SpectraStep {
  if (event.kind === 'binary') return audio(state, event.data);
  const parsed = parseMessage(event.text);
  if (!parsed) return rejected(state, 'invalid_json', 'A text frame must hold one JSON object.');
  switch (parsed.type) {
    case 'start':
      return start(state, parsed);
    case 'finish':
      return finish(state, parsed);
    case 'cancel':
      return cancel(state, parsed);
    default:
      return rejected(state, 'invalid_field', '`type` must be start, finish or cancel.', 'type');
  }
}

function start(state: SpectraState, parsed: Readonly<Record<string, unknown>>): SpectraStep {
  if (state.phase !== 'opened') {
    return rejected(state, 'invalid_field', 'The stream is already started.', 'type');
  }
  const read = readStart(parsed, state.context);
  if ('close' in read) return failed(state, read);
  return {
    state: { ...state, phase: 'admitting', requestId: read.requestId ?? state.requestId },
    effects: [...preferred(read), { do: 'admit', start: read }],
  };
}

function preferred({ vocabulary: terms }: SpectraStart): readonly StreamEffect<SpectraStart>[] {
  return terms.length > 0 ? [{ do: 'prefer', terms }] : [];
}

function admitted(state: SpectraState, values: SpectraAdmitted): SpectraStep {
  if (state.phase !== 'admitting') return { state, effects: [] };
  const { requestId, task, maxAudioSeconds, expiresAtMs } = values;
  const ready = {
    type: 'ready',
    request_id: requestId,
    model: spectraModel,
    task,
    sample_rate: sampleRate,
    encoding: 'pcm_s16le',
    channels: 1,
    max_frame_bytes: maxFrameBytes,
    max_audio_seconds: maxAudioSeconds,
    expires_at_ms: expiresAtMs,
  };
  const next: SpectraState = {
    ...state,
    phase: 'recording',
    bytes: 0,
    requestId,
    maxAudioSeconds,
    backlog: null,
  };
  const first: SpectraStep = { state: next, effects: [{ do: 'send', message: ready }] };
  return replay(first, stepSpectra, backlogEvents(state.backlog));
}

/** Messages before `ready` are queued, up to a whole recording. */
function buffered(state: SpectraState, event: MessageEvent): SpectraStep {
  const failure = event.kind === 'binary' ? frameFailure(event.data.length) : null;
  if (failure) return failed(state, failure);
  const more = addToBacklog(state, event, maxSeconds);
  if (!more) return failed(state, tooLongFailure(maxSeconds));
  const isCancel = event.kind === 'text' && parseMessage(event.text)?.type === 'cancel';
  return isCancel ? message(state, event) : { state: { ...state, ...more }, effects: [] };
}

function audio(state: SpectraState, data: Uint8Array): SpectraStep {
  if (state.phase !== 'recording') {
    const when =
      state.phase === 'opened' ? 'before the stream was started' : 'after it was finished';
    return rejected(state, 'invalid_field', `Audio was sent ${when}.`);
  }
  const failure = frameFailure(data.length);
  if (failure) return failed(state, failure);
  const bytes = state.bytes + data.length;
  if (bytes > state.maxAudioSeconds * bytesPerSecond) {
    return failed(state, tooLongFailure(state.maxAudioSeconds));
  }
  return { state: { ...state, bytes }, effects: [{ do: 'record', data }] };
}

function finish(state: SpectraState, parsed: Readonly<Record<string, unknown>>): SpectraStep {
  const unknown = unknownMember(parsed, ['type']);
  if (unknown) return failed(state, unknown);
  if (state.phase !== 'recording') {
    const when = state.phase === 'opened' ? 'was not started' : 'was finished before';
    return rejected(state, 'invalid_field', `The stream ${when}.`, 'type');
  }
  if (state.bytes < minSeconds * bytesPerSecond) {
    return failed(state, tooShortFailure(state.bytes, minSeconds));
  }
  return { state: { ...state, phase: 'finishing' }, effects: [{ do: 'finish' }] };
}

function cancel(state: SpectraState, parsed: Readonly<Record<string, unknown>>): SpectraStep {
  const unknown = unknownMember(parsed, ['type']);
  if (unknown) return failed(state, unknown);
  return closed(state, [
    { do: 'abandon', fault: 'client' },
    { do: 'close', code: closeCodes.done },
  ]);
}

function result(state: SpectraState, body: object): SpectraStep {
  if (state.phase !== 'finishing') return { state, effects: [] };
  return closed(state, [
    { do: 'send', message: body },
    { do: 'close', code: closeCodes.done },
  ]);
}

function rejected(
  state: SpectraState,
  code: string,
  text: string,
  param: string | null = null,
): SpectraStep {
  return failed(state, { code, message: text, param, close: closeCodes.policy });
}

/** The sender completes the envelope's error, because it knows the types of the codes. */
function failed(state: SpectraState, failure: StreamFailure): SpectraStep {
  const { code, message: text, param, close } = failure;
  const error = { code: envelopeCode(code), message: text, param, request_id: state.requestId };
  return closed(state, [
    { do: 'abandon', fault: faultOf(failure) },
    { do: 'send', message: { type: 'error', error } },
    { do: 'close', code: close },
  ]);
}

function closed(state: SpectraState, effects: readonly StreamEffect<SpectraStart>[]): SpectraStep {
  return { state: { ...state, phase: 'closed', backlog: null }, effects };
}
