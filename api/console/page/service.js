// The pages' client of the service.
import { ends } from './batch-list.js';
import { at } from './dom.js';

/** The answer to a request that was rejected. */
export class Rejected extends Error {
  /**
   * @param {number} status 0 without an answer
   * @param {number | null} retryAfterSeconds as the service has asked for
   */
  constructor(message, status, retryAfterSeconds = null) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An answer that does not arrive, or not whole. */
const lose = () => Promise.reject(new Rejected('The connection to the service was lost.', 0));

/** Random where pages without a secure connection have no `randomUUID`. */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(16)).join('-');

const retryAfter = (header) => (header === null ? null : Number(header) || null);

/** Answers after which the same request, under the same key, may succeed. */
const passing = new Set([0, 429, 502, 503, 504]);
const mostAttempts = 8;
const longestPauseSeconds = 30;
/** After which recordings of a batch are looked at though no change was told. */
const quietMs = 4_000;

const pauseSeconds = (attempt) => Math.min(longestPauseSeconds, 2 ** (attempt - 1));
const rest = (seconds) => new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));

/**
 * One of hundreds of files must not be lost because the service was busy for a moment or the
 * connection broke.
 */
async function persist(work) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!passing.has(error.status) || attempt === mostAttempts) throw error;
      await rest(error.retryAfterSeconds ?? pauseSeconds(attempt));
    }
  }
}

/**
 * @param {() => string} key
 * @param {() => void} signedOut called when the service does not accept the key any more
 */
export function createService(key, signedOut) {
  const call = async (path, init = {}) => {
    const headers = { Authorization: `Bearer ${key()}`, ...init.headers };
    const response = await fetch(at(path), { ...init, headers }).catch(lose);
    if (response.ok) return response;
    const body = await response.json().catch(() => null);
    if (response.status === 401) signedOut();
    const message = body?.error?.message ?? `The service answered ${response.status}.`;
    throw new Rejected(message, response.status, retryAfter(response.headers.get('Retry-After')));
  };
  const json = async (path, init) => (await call(path, init)).json().catch(lose);
  const send = (method, path, body, headers = {}) =>
    json(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const batch = (id) => `v1/batches/${encodeURIComponent(id)}`;
  const item = (path, { batch: id, item: index }) =>
    `console/data/${path}?${queryText({ batch: id, item: index })}`;
  return {
    overview: (days) => json(`console/data/overview?days=${days}`),
    search: (query) => json(`console/data/recordings?${queryText(query)}`),
    recording: (which) => json(item('recording', which)),
    /** @param {'whole' | 'redacted'} view */
    result: (which, view = 'whole') => json(`${item('result', which)}&view=${view}`),
    sound: async (which) => (await call(item('audio', which))).blob(),
    nameSpeakers: (which, speakers) => send('PUT', item('speakers', which), { speakers }),
    /** @param after the last batch that is shown; undefined for the newest */
    batches: (limit, after) => json(`v1/batches?${queryText({ limit, ...(after && { after }) })}`),
    batch: (id) => json(batch(id)),
    items: (id, query) => json(`${batch(id)}/items?${queryText(query)}`),
    /** A token that opens one stream within a minute. */
    clientToken: () => send('POST', 'v1/client-token', {}),
    /** @param idempotencyKey the same for each attempt */
    start: (order, idempotencyKey) =>
      persist(() => send('POST', 'v1/batches', order, { 'Idempotency-Key': idempotencyKey })),
    cancel: (id) => json(`${batch(id)}/cancel`, { method: 'POST' }),
    remove: (id) => json(batch(id), { method: 'DELETE' }),
    results: async (id) => (await call(`${batch(id)}/results`)).blob(),
    exported: async ({ batch: id, item: index }, format) =>
      (await call(`${batch(id)}/items/${index}/export?format=${format}`)).blob(),
    exportedAll: async (id, format) => (await call(`${batch(id)}/export?format=${format}`)).blob(),
    /** @param {(share: number) => void} progress of the upload, 0-1 */
    upload: (file, progress) => {
      const idempotencyKey = newKey();
      const order = () => ({ file, key: key(), progress, idempotencyKey });
      return persist(() => uploadFile(at('v1/files'), order())).catch((error) => {
        if (error.status === 401) signedOut();
        throw error;
      });
    },
    watch: (id, show) => watchEvents(() => call(`${batch(id)}/events`), show),
  };
}

/**
 * Calls `show` with a batch whenever it has changed, until it has ended, and now and then between:
 * a recording that has only been begun changes nothing of its batch. A stream that breaks, or that
 * a proxy ends, is opened again.
 */
async function watchEvents(open, show) {
  let last = null;
  let broken = 0;
  const again = setInterval(() => {
    if (last) void Promise.resolve(show(last)).catch(() => {});
  }, quietMs);
  try {
    for (;;) {
      try {
        for await (const now of eventsOf(await open())) {
          last = now;
          await show(now);
          broken = 0;
        }
      } catch (error) {
        if (error instanceof Rejected && !passing.has(error.status)) throw error;
        if (broken === mostAttempts) throw error;
      }
      if (ends.includes(last?.status)) return;
      await rest(pauseSeconds((broken += 1)));
    }
  } finally {
    clearInterval(again);
  }
}

const queryText = (pairs) => new URLSearchParams(pairs).toString();

async function* eventsOf({ body }) {
  for await (const line of linesOf(body)) {
    if (line.startsWith('data:')) yield JSON.parse(line.slice(5));
  }
}

async function* linesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (text + part.value).split('\n');
      text = lines.pop();
      yield* lines;
    }
  } finally {
    // A stream that nobody reads any more would keep one of the browser's few connections.
    await reader.cancel().catch(() => {});
  }
}

/** Only this older interface reports how much of a body has been sent. */
function uploadFile(address, { file, key, progress, idempotencyKey }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('Authorization', `Bearer ${key}`);
    request.setRequestHeader('Idempotency-Key', idempotencyKey);
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(loaded / total));
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(request.response);
      const reason = request.response?.error?.message;
      const wait = retryAfter(request.getResponseHeader('Retry-After'));
      reject(
        new Rejected(reason ?? `The service answered ${request.status}.`, request.status, wait),
      );
    });
    request.addEventListener('error', () => resolve(lose()));
    const body = new FormData();
    body.set('file', file, file.name);
    request.send(body);
  });
}
