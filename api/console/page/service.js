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
export const passing = new Set([0, 429, 502, 503, 504]);
const mostAttempts = 8;
const longestPauseSeconds = 30;
/** Between looks at a batch that goes on. */
const quietSeconds = 4;
const hiddenSeconds = 20;

/** Data of a page are there in seconds; sound, archives and what is sent take their time. */
const readLimitMs = 60_000;
const long = { isLong: true };
const timeLimit = ({ method = 'GET', isLong = false }) =>
  method === 'GET' && !isLong ? AbortSignal.timeout(readLimitMs) : null;

const pauseSeconds = (attempt) => Math.min(longestPauseSeconds, 2 ** (attempt - 1));
const rest = (seconds) => new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));

/**
 * One of hundreds of files must not be lost because the service was busy for a moment or the
 * connection broke.
 * @param {(seconds: number) => void} pausing called before each further attempt
 */
async function persist(work, pausing = () => {}) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!passing.has(error.status) || attempt === mostAttempts) throw error;
      const seconds = error.retryAfterSeconds ?? pauseSeconds(attempt);
      pausing(seconds);
      await rest(seconds);
    }
  }
}

/**
 * @param {() => string} key
 * @param {() => void} signedOut called when the service does not accept the key any more
 */
export function createService(key, signedOut) {
  const call = async (path, init = {}) => {
    // No key has other characters, and a header that has them is not sent.
    if (!/^[\x21-\x7E]*$/.test(key())) throw new Rejected('The API key is not valid.', 401);
    const headers = { Authorization: `Bearer ${key()}`, ...init.headers };
    const response = await fetch(at(path), { signal: timeLimit(init), ...init, headers }).catch(
      lose,
    );
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
    sound: async (which) => (await call(item('audio', which), long)).blob(),
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
    results: async (id) => (await call(`${batch(id)}/results`, long)).blob(),
    exported: async ({ batch: id, item: index }, format) =>
      (await call(`${batch(id)}/items/${index}/export?format=${format}`, long)).blob(),
    exportedAll: async (id, format) =>
      (await call(`${batch(id)}/export?format=${format}`, long)).blob(),
    /**
     * @param {(share: number) => void} progress of the upload, 0-1
     * @param {(seconds: number) => void} pausing before it begins again
     */
    upload: (file, progress, pausing) => {
      const idempotencyKey = newKey();
      const order = () => ({ file, key: key(), progress, idempotencyKey });
      return persist(() => uploadFile(at('v1/files'), order()), pausing).catch((error) => {
        if (error.status === 401) signedOut();
        throw error;
      });
    },
    watch: (id, show) => watchBatch(() => json(batch(id)), show),
  };
}

/** How many batches this page follows. */
let followed = 0;

/**
 * Calls `show` with a batch again and again, until it has ended. A browser has six connections to a
 * service over HTTP/1.1, which all of its tabs share: a stream would keep one of them for the hours
 * of a batch, so each look is a request of its own. The more batches a page follows, the less often
 * it looks at each.
 */
async function watchBatch(read, show) {
  let failures = 0;
  followed += 1;
  try {
    for (let looks = 1; ; looks += 1) {
      try {
        const now = await read();
        await show(now);
        if (ends.includes(now.status)) return;
        failures = 0;
        await rest(lookSeconds(looks) * followed);
      } catch (error) {
        if (!passing.has(error.status) || failures === mostAttempts) throw error;
        failures += 1;
        await rest(error.retryAfterSeconds ?? pauseSeconds(failures));
      }
    }
  } finally {
    followed -= 1;
  }
}

/** A short recording is done after a few seconds; nobody looks at a hidden page. */
const lookSeconds = (looks) =>
  document.hidden ? hiddenSeconds : Math.min(quietSeconds, 2 ** (looks - 1));

const queryText = (pairs) => new URLSearchParams(pairs).toString();

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
