// Sources that break, lie, redirect and never end: what is fetched is whole, or the error says why.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { parseNetworks } from '../../../api/http/networks.ts';
import {
  defaultFetchLimits,
  fetchSource,
  type FetchLimits,
} from '../../../api/sources/fetch-source.ts';
import { presignedSource } from '../../../api/sources/s3-source.ts';
import { blocksOf, openSource } from '../../../api/sources/source-response.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { SourceCredential } from '../../../models/contract/source.ts';
import { serveFile, sourceServer } from '../../support/source-server.ts';
import { withDirectory } from '../../support/speech.ts';

/** The server of these tests alone: everything else on this machine is refused. */
const networks = parseNetworks('127.0.0.1/32');
const limits: FetchLimits = {
  idleMs: 60_000,
  totalMs: 600_000,
  maxFruitless: 3,
  firstDelayMs: 1,
};
const recording = randomBytes(300_000);

interface Options {
  readonly credentials?: readonly SourceCredential[];
  readonly limits?: Partial<FetchLimits>;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (bytes: number) => void;
}

/** @returns the bytes of the file */
function fetched(url: string, options: Options = {}): Promise<Buffer> {
  return withDirectory(async (folder) => {
    const path = join(folder, 'source');
    const { credentials = [], maxBytes = 1e6, onProgress = () => {} } = options;
    const { signal = new AbortController().signal } = options;
    const fetch = { url: new URL(url), credentials, path, maxBytes, signal, onProgress };
    await fetchSource(fetch, { networks }, { ...limits, ...options.limits });
    return readFile(path);
  });
}

const failure = async (url: string, options?: Options): Promise<ServiceError> => {
  const error = await fetched(url, options).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error ?? new Error(`${url} was fetched`);
  return error;
};

test('a broken connection is continued where it broke', async (t) => {
  const file = { bytes: recording, etag: '"one"' };
  const { base, requests } = await sourceServer(t, (request, response, i) =>
    serveFile(request, response, { ...file, ...(i < 5 && { breakAfter: 50_000 }) }),
  );
  t.deepEqual(await fetched(`${base}/call.wav`), recording);
  const ranges = requests.map(({ headers }) => headers.range);
  const starts = [50_000, 100_000, 150_000, 200_000, 250_000];
  t.deepEqual(ranges, [undefined, ...starts.map((start) => `bytes=${start}-`)]);
  t.true(requests.slice(1).every(({ headers }) => headers['if-range'] === '"one"'));
});

test('all that came before a connection broke is read, however late', async (t) => {
  const { base } = await sourceServer(t, (request, response) =>
    serveFile(request, response, { bytes: recording, breakAfter: 50_000 }),
  );
  const { signal } = new AbortController();
  const call = { credentials: [], egress: { networks }, headers: {}, signal, idleMs: 60_000 };
  const response = await openSource({ ...call, url: new URL(base) });
  const blocks = blocksOf(response);
  await new Promise((resolve) => response.once('close', resolve));
  const read: Buffer[] = [];
  const reading = async () => {
    for await (const block of blocks) read.push(block);
  };
  await t.throwsAsync(reading, { code: 'ECONNRESET' });
  t.deepEqual(Buffer.concat(read), recording.subarray(0, 50_000));
});

test('bytes of two versions are never joined, nor those of a version without a name', async (t) => {
  const newer = randomBytes(200_000);
  const changing = await sourceServer(t, (request, response, i) => {
    const first = { bytes: recording, etag: '"one"', breakAfter: 50_000 };
    serveFile(request, response, i === 0 ? first : { bytes: newer, etag: '"two"' });
  });
  t.deepEqual(await fetched(changing.base), newer);
  const lying = await sourceServer(t, (request, response, i) => {
    if (i === 0) {
      serveFile(request, response, { bytes: recording, etag: '"one"', breakAfter: 50_000 });
    } else if (i === 1) {
      // The rest of another version, as if nothing had changed.
      response.writeHead(206, { etag: '"two"', 'content-range': 'bytes 50000-199999/200000' });
      response.end(newer.subarray(50_000));
    } else serveFile(request, response, { bytes: newer, etag: '"two"' });
  });
  t.deepEqual(await fetched(lying.base), newer);
  const unnamed = await sourceServer(t, (request, response, i) =>
    serveFile(request, response, { bytes: recording, ...(i === 0 && { breakAfter: 50_000 }) }),
  );
  t.deepEqual(await fetched(unnamed.base), recording);
  t.is(unnamed.requests[1]!.headers.range, undefined);
});

test('no redirect leads to a network that is not allowed', async (t) => {
  const { port } = new URL((await sourceServer(t, (_, response) => response.end(recording))).base);
  for (const location of [
    `http://127.0.0.2:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.2]:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'https://192.168.1.1/',
    'http://93.184.215.14/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
  ]) {
    const { base, requests } = await sourceServer(t, (_, response) =>
      response.writeHead(302, { location }).end(),
    );
    t.is((await failure(base)).code, 'source_refused', location);
    t.is(requests.length, 1);
    if (!location.startsWith('f')) t.is((await failure(location)).code, 'source_refused', location);
  }
  const good = await sourceServer(t, (request, response) =>
    request.url === '/a'
      ? response.writeHead(307, { location: '/b' }).end()
      : response.end(recording),
  );
  t.deepEqual(await fetched(`${good.base}/a`), recording);
  const around = await sourceServer(t, (_, response) =>
    response.writeHead(302, { location: '/' }).end(),
  );
  t.regex((await failure(around.base)).message, /redirects more than 5 times/);
});

test('credentials go to the addresses that they were stored for', async (t) => {
  const other = await sourceServer(t, (_, response) => response.end(recording));
  const { base, requests } = await sourceServer(t, (request, response) => {
    const location = `${other.base}/call.wav`;
    if (request.url === '/away') response.writeHead(302, { location }).end();
    else response.end(recording);
  });
  const credentials: readonly SourceCredential[] = [
    { prefix: `${base}/`, secret: { kind: 'basic', user: 'ann', password: 'pä:ss' } },
    { prefix: `${base}/token/`, secret: { kind: 'bearer', token: 'secret' } },
  ];
  for (const path of ['/plain', '/token/1', '/away']) await fetched(base + path, { credentials });
  const basic = `Basic ${Buffer.from('ann:pä:ss').toString('base64')}`;
  t.deepEqual(
    requests.map(({ headers }) => headers.authorization),
    [basic, 'Bearer secret', basic],
  );
  t.is(other.requests[0]!.headers.authorization, undefined);
  t.regex((await failure('s3://calls/1.wav', { credentials })).message, /no credentials for s3:/);
});

test('what is too large is not read to its end', async (t) => {
  const declared = await sourceServer(t, (_, response) => {
    response.writeHead(200, { 'content-length': 2e9 });
    response.write('RIFF');
  });
  const endless = await sourceServer(t, (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(recording));
    };
    response.on('drain', more);
    more();
  });
  for (const { base } of [declared, endless]) t.is((await failure(base)).code, 'file_too_large');
});

test('what another attempt may not meet is tried again, other answers are the error', async (t) => {
  const busy = await sourceServer(t, (request, response, i) => {
    const status = [503, 429, 500][i];
    if (status === undefined) serveFile(request, response, { bytes: recording });
    else response.writeHead(status, { 'retry-after': '0' }).end();
  });
  t.deepEqual(await fetched(busy.base), recording);
  const down = await sourceServer(t, (_, response) => void response.socket?.destroy());
  const lost = await failure(down.base);
  t.is(lost.code, 'source_unreachable');
  t.is(down.requests.length, 4);
  for (const [status, message] of [
    [401, /answered 401; it needs other credentials/],
    [403, /answered 403; it needs other credentials/],
    [404, /answered 404\./],
    [204, /answered 204\./],
  ] as const) {
    const { base, requests } = await sourceServer(t, (_, response) =>
      response.writeHead(status).end(),
    );
    const error = await failure(base);
    t.is(error.code, 'source_rejected');
    t.regex(error.message, message);
    t.is(requests.length, 1);
  }
  const packed = await sourceServer(t, (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(recording),
  );
  t.regex((await failure(packed.base)).message, /encoded as gzip/);
});

test('a source that trickles ends at the deadline, a cancelled fetch at once', async (t) => {
  const { base } = await sourceServer(t, (_, response) => {
    const timer = setInterval(() => response.write('x'), 5);
    response.once('close', () => clearInterval(timer));
  });
  const late = await failure(base, { limits: { totalMs: 200 } });
  t.is(late.code, 'source_unreachable');
  t.regex(late.message, /longer than 0.2 seconds/);
  const silent = await sourceServer(t, () => {});
  const idle = await failure(silent.base, { limits: { idleMs: 50, maxFruitless: 1 } });
  t.regex(idle.message, /its server sent nothing/);
  const cancel = new AbortController();
  const onProgress = (): void => cancel.abort(new Error('cancelled'));
  await t.throwsAsync(fetched(base, { signal: cancel.signal, onProgress }), {
    message: 'cancelled',
  });
});

test('the address that is signed for an object lasts longer than its fetch', async (t) => {
  const secret = {
    ...{ accessKeyId: 'a', secretAccessKey: 'b', region: 'eu-west-1', endpoint: null },
    kind: 's3',
  } as const;
  const url = new URL('s3://calls/2026/1.wav');
  const signed = await presignedSource(url, [{ prefix: 's3://calls/', secret }]);
  const seconds = Number(signed.searchParams.get('X-Amz-Expires'));
  t.true(seconds >= defaultFetchLimits.totalMs / 1_000 + 300, `${seconds} s, for clocks apart`);
  t.true(seconds <= 3_600, 'and is no standing permission');
});
