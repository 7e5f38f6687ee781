// HTTP by hand, for requests that no client library would send.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export interface RawOptions {
  /** Between the blocks; default 0. */
  readonly pauseMs?: number;
  /** The caller vanishes, without waiting for an answer, once this has resolved. */
  readonly hangUpAfter?: () => Promise<unknown>;
}

/** Sends the blocks and reads until the answer is complete. */
export async function sendRaw(
  base: string,
  blocks: readonly (string | Buffer)[],
  { pauseMs = 0, hangUpAfter }: RawOptions = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let text = '';
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? -1);
      if (body !== undefined && length >= 0 && body.length >= length) resolve();
    });
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
  });
  for (const block of blocks) {
    socket.write(block);
    await sleep(pauseMs);
  }
  if (hangUpAfter) {
    await hangUpAfter();
    socket.destroy();
  }
  await answered;
  socket.destroy();
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body };
}

/** The head of a multipart POST to the transcriptions endpoint. */
export function postHead(key: string, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    'POST /v1/audio/transcriptions HTTP/1.1',
    'Host: test',
    `Authorization: Bearer ${key}`,
    ...lines,
    '\r\n',
  ].join('\r\n');
}
