// A multipart request with a recording, sent with little computing time.
import * as http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';

export interface Sent {
  readonly key: string;
  readonly id: string;
  readonly file: Buffer;
  readonly model?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly error?: { readonly code?: string; readonly request_id?: string };
    readonly [name: string]: unknown;
  };
}

/** As long as `fetch` waits. */
const silenceMs = 300_000;
const agents = {
  http: new http.Agent({ keepAlive: true }),
  https: new https.Agent({ keepAlive: true }),
};

/**
 * Posts it to the transcriptions. A load that is larger than the service's capacity must not take
 * its cores: a `FormData` sent by `fetch` costs eight times as much computing time as this, which
 * is more than a rejection costs the service.
 * @returns null when no complete answer arrived
 */
export function postRecording(base: string, sent: Sent): Promise<Reply | null> {
  const { promise, resolve } = Promise.withResolvers<Reply | null>();
  const headers = {
    Authorization: `Bearer ${sent.key}`,
    'X-Request-ID': sent.id,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
  };
  const url = `${base}/v1/audio/transcriptions`;
  const options = { method: 'POST', headers, timeout: silenceMs };
  const outgoing = base.startsWith('https:')
    ? https.request(url, { ...options, agent: agents.https })
    : http.request(url, { ...options, agent: agents.http });
  outgoing.on('timeout', () => outgoing.destroy());
  // After an answer that came before the end of the body, an error of the body has no effect.
  outgoing.on('error', () => resolve(null));
  outgoing.on('response', (response) => {
    text(response).then(
      (body) => resolve(replyOf(response, body)),
      () => resolve(null),
    );
  });
  outgoing.end(formOf(sent));
  return promise;
}

const boundary = 'svc-speech-fault-load-5d1f0c7e';
const forms = new WeakMap<Buffer, Map<string, Buffer>>();

/** The multipart body with the file and the model, made once for each pair. */
function formOf({ file, model = '' }: Sent): Buffer {
  const ofFile = forms.get(file) ?? new Map<string, Buffer>();
  forms.set(file, ofFile);
  const part = (name: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const form =
    ofFile.get(model) ??
    Buffer.concat([
      Buffer.from(model === '' ? '' : `${part('model')}${model}\r\n`),
      Buffer.from(part('file', '; filename="call.wav"\r\nContent-Type: application/octet-stream')),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
  ofFile.set(model, form);
  return form;
}

/** A body that is not JSON is an answer too, and the defect is recorded. */
function replyOf({ statusCode = 0, headers }: IncomingMessage, body: string): Reply {
  try {
    return { status: statusCode, headers, body: JSON.parse(body) as Reply['body'] };
  } catch {
    return { status: statusCode, headers, body: {} };
  }
}
