// The lite stream as a state machine: contract.md, "Lite stream". Pure; never throws.
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import { limitsOf, liteModel } from '../../../models/contract/served-models.ts';
import {
  bytesPerSecond,
  closeCodes,
  faultOf,
  frameFailure,
  idleFailure,
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
import { isFailure, readStreamTerms, type VocabularyRule } from './vocabulary.ts';

export interface LiteAdmitted {
  /** The part of the 60 s that the account can cover. */
  readonly coveredSeconds: number;
}

export interface LiteState extends Backlog {
  readonly phase: 'admitting' | 'recording' | 'committed' | 'closed';
  readonly coveredSeconds: number;
  readonly vocabulary: VocabularyRule;
}

type Event = StreamEvent<LiteAdmitted>;
type LiteStep = Step<LiteState, null>;
type Effect = StreamEffect<null>;

const { minSeconds, maxSeconds } = limitsOf(liteModel);

/** An open stream is admitted at once, because there is no start message. */
export function openLite(vocabulary: VocabularyRule): LiteStep {
  const state = {
    phase: 'admitting',
    bytes: 0,
    coveredSeconds: maxSeconds,
    vocabulary,
    backlog: null,
  } as const;
  return { state, effects: [{ do: 'admit', start: null }] };
}

export function stepLite(state: LiteState, event: Event): LiteStep {
  if (state.phase === 'closed') return { state, effects: [] };
  switch (event.kind) {
    case 'gone':
      return closed(state, [{ do: 'abandon', fault: 'client' }]);
    case 'failed':
      return event.failure.retryAfterMs === undefined
        ? failed(state, event.failure)
        : postponed(state, event.failure, event.failure.retryAfterMs);
    case 'idle':
    case 'expired':
      if (state.phase === 'committed') return { state, effects: [] };
      return failed(state, idleFailure);
    case 'admitted':
      return admitted(state, event.admitted);
    case 'result':
      if (state.phase !== 'committed') return { state, effects: [] };
      return closed(state, [
        { do: 'send', message: event.message },
        { do: 'close', code: closeCodes.done },
      ]);
    case 'interim': {
      const isOpen = state.phase === 'recording' || state.phase === 'committed';
      return { state, effects: isOpen ? [{ do: 'send', message: event.message }] : [] };
    }
    case 'text':
    case 'binary':
      return state.phase === 'admitting' ? buffered(state, event) : message(state, event);
  }
}

function admitted(state: LiteState, { coveredSeconds }: LiteAdmitted): LiteStep {
  if (state.phase !== 'admitting') return { state, effects: [] };
  const ready = {
    type: 'ready',
    sample_rate: sampleRate,
    encoding: 'pcm_s16le',
    channels: 1,
    max_seconds: maxSeconds,
    model: liteModel,
  };
  const next: LiteState = { ...state, phase: 'recording', bytes: 0, coveredSeconds, backlog: null };
  const first: LiteStep = { state: next, effects: [{ do: 'send', message: ready }] };
  return replay(first, stepLite, backlogEvents(state.backlog));
}

/** Messages before `ready` are queued, up to a whole recording. */
function buffered(state: LiteState, event: MessageEvent): LiteStep {
  const failure = event.kind === 'binary' ? frameFailure(event.data.length) : null;
  if (failure) return rejectedFrame(state, failure);
  const more = addToBacklog(state, event, maxSeconds);
  if (!more) return failed(state, tooLongFailure(maxSeconds));
  return { state: { ...state, ...more }, effects: [] };
}

function message(state: LiteState, event: MessageEvent): LiteStep {
  if (event.kind === 'binary') return audio(state, event.data);
  const parsed = parseMessage(event.text);
  // Clients add their own measurements to their pings.
  if (parsed?.type === 'ping') {
    return { state, effects: [{ do: 'send', message: { type: 'pong' } }] };
  }
  if (parsed?.type === 'vocabulary' && state.vocabulary !== 'unknown') {
    return preferred(state, parsed);
  }
  if (parsed?.type !== 'commit' || Object.keys(parsed).length > 1) {
    const first = state.vocabulary === 'unknown' ? '' : '{"type":"vocabulary","terms":[…]}, ';
    return invalid(state, `A text frame must be ${first}{"type":"ping"} or {"type":"commit"}.`);
  }
  if (state.phase === 'committed') return invalid(state, 'The recording is already committed.');
  if (state.bytes < minSeconds * bytesPerSecond) {
    return failed(state, tooShortFailure(state.bytes, minSeconds));
  }
  return { state: { ...state, phase: 'committed' }, effects: [{ do: 'finish' }] };
}

/** Terms before the audio; the last ones count. */
function preferred(state: LiteState, asked: Readonly<Record<string, unknown>>): LiteStep {
  if (state.phase === 'committed' || state.bytes > 0) {
    return invalid(state, 'The vocabulary must be sent before the audio.');
  }
  const other = Object.keys(asked).find((name) => name !== 'type' && name !== 'terms');
  if (other !== undefined) {
    return invalid(state, `A vocabulary has \`terms\`, not \`${other.slice(0, 64)}\`.`);
  }
  const rule = state.vocabulary;
  const terms = readStreamTerms(asked['terms'], { model: liteModel, rule }, 'terms');
  if (isFailure(terms)) return invalid(state, terms.message);
  return { state, effects: [{ do: 'prefer', terms }] };
}

function audio(state: LiteState, data: Uint8Array): LiteStep {
  if (state.phase === 'committed') return invalid(state, 'Audio was sent after the commit.');
  const failure = frameFailure(data.length);
  if (failure) return rejectedFrame(state, failure);
  const bytes = state.bytes + data.length;
  if (bytes > maxSeconds * bytesPerSecond) return failed(state, tooLongFailure(maxSeconds));
  if (bytes > state.coveredSeconds * bytesPerSecond) {
    const text = `The plan minutes cover ${state.coveredSeconds} seconds of this recording.`;
    const code = 'allowance_exhausted';
    return failed(state, { code, message: text, param: null, close: closeCodes.policy });
  }
  return { state: { ...state, bytes }, effects: [{ do: 'record', data }] };
}

function rejectedFrame(state: LiteState, failure: StreamFailure): LiteStep {
  return failure.code === 'invalid_field'
    ? invalid(state, failure.message)
    : failed(state, failure);
}

/** The recording is kept, and the client may commit again. */
function postponed(state: LiteState, failure: StreamFailure, retryAfterMs: number): LiteStep {
  if (state.phase !== 'committed') return { state, effects: [] };
  const { code, message: text } = failure;
  const body = { type: 'error', code, message: text, retry_after_ms: retryAfterMs };
  return { state: { ...state, phase: 'recording' }, effects: [{ do: 'send', message: body }] };
}

function invalid(state: LiteState, text: string): LiteStep {
  const close = closeCodes.policy;
  return failed(state, { code: 'invalid_message', message: text, param: null, close });
}

/** Codes of the shared failures in this protocol. */
const ownCodes: Readonly<Record<string, string>> = {
  message_flood: 'invalid_message',
  timeout: 'idle',
};

function failed(state: LiteState, failure: StreamFailure): LiteStep {
  const { code, message: text, close } = failure;
  return closed(state, [
    { do: 'abandon', fault: faultOf(failure) },
    { do: 'send', message: { type: 'error', code: ownCodes[code] ?? code, message: text } },
    { do: 'close', code: close },
  ]);
}

function closed(state: LiteState, effects: readonly Effect[]): LiteStep {
  return { state: { ...state, phase: 'closed', backlog: null }, effects };
}
