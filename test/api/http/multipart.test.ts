// Multipart bodies: what counts as a field, a list and a file. One that is wrong in many places is
// answered for the first, and leaves nothing behind on its request.
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import test from 'ava';
import { defaultUploadDeadlines } from '../../../api/http/deadlines.ts';
import { readMultipart } from '../../../api/http/multipart.ts';

const boundary = 'b';
const slot = { revoked: new AbortController().signal, received: () => null };
const list = 'keywords[]';
const limits = { maxBytes: 1e6, maxFileBytes: 1e6, maxFieldBytes: 4_096, repeatable: [list] };

function part(name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/** As Node's parser would make it of the whole body in one block. */
function requestOf(body: string, headers: IncomingMessage['headers'] = {}): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers };
  request.push(body);
  request.complete = true;
  request.push(null);
  return request;
}

function whole(...parts: readonly string[]): string {
  return `${parts.join('')}--${boundary}--\r\n`;
}

/** @returns the fields, the type of the file, and what is too long */
async function read(request: IncomingMessage) {
  const response = {} as ServerResponse;
  const options = { request, response, slot, deadlines: defaultUploadDeadlines, ...limits };
  const { fields, file } = await readMultipart(options, async (content, { mimeType }) => {
    for await (const _ of content);
    return mimeType;
  });
  return { fields: Object.fromEntries(fields), file, unusable: [...fields.unusable] };
}

test('a form whose fields are given twenty times has one error', async (t) => {
  const names = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'task' : 'model'));
  const request = requestOf(whole(...names.map((name) => part(name, 'x'))));
  const error = await t.throwsAsync(read(request));
  const message = '`task` was given twice.';
  t.like(error, { code: 'duplicate_field', param: 'task', message });
  // Each listener more would be one of a leak to Node, which warns of it in the log.
  t.is(request.listenerCount('error'), 1);
  t.is(request.listenerCount('data'), 0);
});

test('a list may have a hundred values beside other fields; empty ones are absent', async (t) => {
  const terms = Array.from({ length: 100 }, (_, i) => `term ${i}`);
  const others = Array.from({ length: 11 }, (_, i) => part(`field ${i}`, 'x'));
  const values = ['', ...terms, ''].map((value) => part(list, value));
  const { fields } = await read(requestOf(whole(...values, ...others)));
  t.is(fields[list], terms.join('\n'));
  const long = await read(requestOf(whole(part(list, 'a'), part(list, 'x'.repeat(4_097)))));
  t.deepEqual(long.unusable, [list]);
});

test('a file need not have a name, if its type is not text', async (t) => {
  const typed = (type: string): string =>
    part('file', 'x').replace('\r\n\r\n', `\r\n${type}\r\n\r\n`);
  for (const type of ['audio/wav', 'audio/pcm', 'application/octet-stream']) {
    const { file } = await read(requestOf(whole(typed(`Content-Type: ${type}`))));
    t.is(file, type);
  }
  for (const type of ['Content-Type: text/plain; charset=utf-8', 'X-Other: 1']) {
    const error = await t.throwsAsync(read(requestOf(whole(typed(type)))));
    t.like(error, { code: 'invalid_field', param: 'file' }, type);
  }
});

test('a body that is compressed is rejected for it', async (t) => {
  const body = whole(part('a', 'b'));
  t.deepEqual((await read(requestOf(body, { 'content-encoding': 'Identity' }))).fields, { a: 'b' });
  const error = await t.throwsAsync(read(requestOf(body, { 'content-encoding': 'gzip' })));
  t.like(error, { code: 'unsupported_media_type', param: 'Content-Encoding' });
  t.regex(error!.message, /got gzip\.$/);
});

test('a type that begins like that of a form is another one', async (t) => {
  for (const [type, accepted] of [
    ['multipart/form-data-x; boundary=b', false],
    ['multipart/form-data.x;boundary=b', false],
    ['Multipart/Form-Data ; boundary=b', true],
    ['multipart/form-data;boundary=b', true],
  ] as const) {
    const request = requestOf(whole(part('task', 'x')), { 'content-type': type });
    const outcome = await read(request).then(
      ({ fields }) => fields.task,
      ({ code }) => code,
    );
    t.is(outcome, accepted ? 'x' : 'unsupported_media_type', type);
  }
});
