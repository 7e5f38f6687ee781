// The lite stream: English speech of up to a minute in, its text out. It needs a client token, not
// a key, so that browsers and apps may open it.
import { listenerOf, type LiveOptions } from './live-text.ts';
import { openMessageSocket, type SocketTarget } from './message-socket.ts';
import type { ClientToken } from './schemas.ts';
import { sleep } from './sleep.ts';

export interface LiteTranscript {
  readonly text: string;
  readonly model: string;
  readonly language: string;
  readonly audio_seconds: number;
  readonly inference_ms: number;
  /** From the commit to the answer. */
  readonly server_ms: number;
  readonly queue_ms: number;
  readonly request_id: string;
  readonly usage: Readonly<Record<string, unknown>>;
}

export interface LiteStream {
  readonly ready: { readonly max_seconds: number };
  /** PCM16, little-endian, mono, 16 kHz. @throws SpeechServiceError, Error after `finish` */
  send(samples: Uint8Array | Int16Array): Promise<void>;
  /** Keeps a stream open in which nothing is said: one is closed after 30 s without a message. */
  ping(): void;
  /** Ends the recording; waits while the service has no capacity. @throws SpeechServiceError */
  finish(): Promise<LiteTranscript>;
  /** Ends the stream without a result and without a charge. */
  cancel(): void;
}

const liveProtocol = 'svceet.pcm.live.v1';

/** Resolves when the service is ready for audio. @throws SpeechServiceError */
export async function openLiteStream(
  { token, url, protocol }: Pick<ClientToken, 'token' | 'url' | 'protocol'>,
  { vocabulary, ...options }: Pick<SocketTarget, 'webSocket'> & LiveOptions = {},
): Promise<LiteStream> {
  const onText = listenerOf({ ...options, ...(vocabulary && { vocabulary }) });
  const protocols = [onText ? liveProtocol : protocol, `auth.${token}`];
  const socket = await openMessageSocket({ ...options, url, protocols, ...(onText && { onText }) });
  const ready = (await socket.next()) as unknown as LiteStream['ready'];
  if (vocabulary) socket.sendMessage({ type: 'vocabulary', terms: vocabulary });
  return {
    ready,
    send: (samples) => socket.sendAudio(samples),
    ping: () => socket.sendMessage({ type: 'ping' }),
    async finish() {
      socket.finish({ type: 'commit' });
      for (;;) {
        const message = await socket.next();
        if (message.type === 'final') return message as unknown as LiteTranscript;
        if (message.type !== 'error') continue;
        await sleep(Number(message['retry_after_ms']));
        socket.finish({ type: 'commit' });
      }
    },
    cancel: () => socket.close(),
  };
}
