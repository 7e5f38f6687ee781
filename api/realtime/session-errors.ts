// Error events of a Realtime session; it goes on after a refusal. Pure.
import type { EventError, RealtimeState, RealtimeStep } from './session-state.ts';

export function errorMessage(error: EventError, eventId: string | null): object {
  return { type: 'error', error: { ...error, event_id: eventId } };
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly param?: string | null;
  /** Of the client's event, where it has one. */
  readonly eventId: string | null;
}

export function refuse(
  state: RealtimeState,
  { code, message, param = null, eventId }: Refusal,
): RealtimeStep {
  const error = { type: 'invalid_request_error', code, message, param };
  return { state, effects: [{ do: 'send', message: errorMessage(error, eventId) }] };
}
