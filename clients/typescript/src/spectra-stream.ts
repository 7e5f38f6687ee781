// The Spectra-2 stream: one recording in, one result out, recognised while it arrives.
import { listenerOf, type LiveOptions } from './live-text.ts';
import { openMessageSocket, type SocketTarget } from './message-socket.ts';
import type { Spectra2Result } from './schemas.ts';

export interface SpectraReady {
  readonly request_id: string;
  readonly task: 'transcription' | 'analysis';
  readonly max_audio_seconds: number;
  /** Unix milliseconds; null without a prepared session. */
  readonly expires_at_ms: number | null;
}

export interface SpectraStream {
  readonly ready: SpectraReady;
  /** PCM16, little-endian, mono, 16 kHz. @throws SpeechServiceError, Error after `finish` */
  send(samples: Uint8Array | Int16Array): Promise<void>;
  /** Ends the recording. @throws SpeechServiceError */
  finish(): Promise<Spectra2Result>;
  /** Ends the stream without a result and without a charge. */
  cancel(): void;
}

export interface SpectraTarget extends Omit<SocketTarget, 'protocols'>, LiveOptions {
  readonly task: 'transcription' | 'analysis';
  /** Ticket of a stream session, for which no key is needed. */
  readonly ticket?: string;
  readonly requestId?: string;
}

export const spectraModel = 'svc-spectra-2';
const plainProtocol = 'svc.spectra2.v1';
const liveProtocol = 'svc.spectra2.live.v1';

/** Resolves when the service is ready for audio. @throws SpeechServiceError */
export async function openSpectraStream(target: SpectraTarget): Promise<SpectraStream> {
  const { task, ticket, requestId, vocabulary, ...socketTarget } = target;
  const onText = listenerOf(target);
  const protocol = onText ? liveProtocol : plainProtocol;
  const protocols = ticket === undefined ? [protocol] : [protocol, ticket];
  const socket = await openMessageSocket({ ...socketTarget, protocols, ...(onText && { onText }) });
  socket.sendMessage({
    type: 'start',
    model: spectraModel,
    task,
    ...(requestId !== undefined && { request_id: requestId }),
    ...(vocabulary && { vocabulary }),
  });
  const ready = (await socket.next()) as unknown as SpectraReady;
  return {
    ready,
    send: (samples) => socket.sendAudio(samples),
    async finish() {
      socket.finish({ type: 'finish' });
      return (await socket.next()) as unknown as Spectra2Result;
    },
    cancel: () => socket.sendMessage({ type: 'cancel' }),
  };
}
