// A multipart body that is wrong in many places is answered for the first, and leaves nothing
// behind on its request.
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import test from 'ava';
import { defaultUploadDeadlines } from '../../../api/http/deadlines.ts';
import { readMultipart } from '../../../api/http/multipart.ts';

const boundary = 'b';
const slot = { revoked: new AbortController().signal, received: () => null };
const limits = { maxBytes: 1e6, maxFileBytes: 1e6, maxFieldBytes: 4_096 };

function part(name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/** As Node's parser would make it of the whole body in one block. */
function requestOf(body: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  request.push(body);
  request.complete = true;
  request.push(null);
  return request;
}

test('a form whose fields are given twenty times has one error', async (t) => {
  const names = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'task' : 'model'));
  const request = requestOf(`${names.map((name) => part(name, 'x')).join('')}--${boundary}--\r\n`);
  const response = {} as ServerResponse;
  const options = { request, response, slot, deadlines: defaultUploadDeadlines, ...limits };
  const error = await t.throwsAsync(readMultipart(options, async () => null));
  t.like(error, { code: 'duplicate_field', param: 'task' });
  // Each listener more would be one of a leak to Node, which warns of it in the log.
  t.is(request.listenerCount('error'), 1);
  t.is(request.listenerCount('data'), 0);
});
