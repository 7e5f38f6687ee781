// A message of a Realtime client as an event of its session, and so is what is wrong with it.
import { ServiceError } from '../../models/contract/errors.ts';
import { maxMessageElements, parseMessage } from '../streams/protocols/protocol.ts';
import { decodeBase64, type AudioInput } from './audio-input.ts';
import { readClientEvent } from './client-events.ts';
import type { EventError, RealtimeEvent } from './session-state.ts';

/**
 * @param input decodes the audio of the session's format
 * @returns a promise for audio that is decoded for longer than a turn of the event loop may take
 */
export function readMessage(
  text: string,
  input: AudioInput,
): RealtimeEvent | Promise<RealtimeEvent> {
  const parsed = parseMessage(text);
  const eventId = typeof parsed?.event_id === 'string' ? parsed.event_id.slice(0, 512) : null;
  try {
    if (!parsed) throw noObject();
    const event = readClientEvent(parsed);
    if (event.kind !== 'append') return { kind: 'client', event, eventId };
    const decoded = decodeAudio(event.audio, input);
    const appended = (pcm: Int16Array) => ({ kind: 'audio', pcm, eventId }) as const;
    return decoded instanceof Promise ? decoded.then(appended) : appended(decoded);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { kind: 'refused', error: eventError(error), eventId };
  }
}

function noObject(): ServiceError {
  const message = `A message must be one JSON object of at most ${maxMessageElements} elements.`;
  return new ServiceError('invalid_json', message);
}

function decodeAudio(base64: string, input: AudioInput): ReturnType<AudioInput['decode']> {
  const bytes = decodeBase64(base64);
  if (!bytes) throw wrongAudio('`audio` is not base64.');
  try {
    return input.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw wrongAudio(`${error.message}.`);
    throw error;
  }
}

function wrongAudio(message: string): ServiceError {
  return new ServiceError('invalid_field', message, { param: 'audio' });
}

function eventError({ type, code, message, param }: ServiceError): EventError {
  return { type, code, message, param };
}
