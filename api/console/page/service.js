// The pages' client of the service.
import { at } from './dom.js';

/** The answer to a request that was rejected. */
export class Rejected extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {() => string} key
 * @param {() => void} signedOut called when the service does not accept the key any more
 */
export function createService(key, signedOut) {
  const call = async (path, init = {}) => {
    const headers = { Authorization: `Bearer ${key()}`, ...init.headers };
    const response = await fetch(at(path), { ...init, headers });
    if (response.ok) return response;
    const body = await response.json().catch(() => null);
    if (response.status === 401) signedOut();
    const message = body?.error?.message ?? `The service answered ${response.status}.`;
    throw new Rejected(message, response.status);
  };
  const json = async (path, init) => (await call(path, init)).json();
  const send = (method, path, body) =>
    json(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
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
    start: (order) => send('POST', 'v1/batches', order),
    cancel: (id) => json(`${batch(id)}/cancel`, { method: 'POST' }),
    remove: (id) => json(batch(id), { method: 'DELETE' }),
    results: async (id) => (await call(`${batch(id)}/results`)).blob(),
    exported: async ({ batch: id, item: index }, format) =>
      (await call(`${batch(id)}/items/${index}/export?format=${format}`)).blob(),
    upload: (file, progress) => uploadFile(at('v1/files'), { file, key: key(), progress }),
    /** Calls `show` with the batch whenever it has changed, until it has ended. */
    async watch(id, show) {
      const { body } = await call(`${batch(id)}/events`);
      for await (const line of linesOf(body)) {
        if (line.startsWith('data:')) await show(JSON.parse(line.slice(5)));
      }
    },
  };
}

const queryText = (pairs) => new URLSearchParams(pairs).toString();

async function* linesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (text + part.value).split('\n');
    text = lines.pop();
    yield* lines;
  }
}

/** Only this older interface reports how much of a body has been sent. */
function uploadFile(address, { file, key, progress }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('Authorization', `Bearer ${key}`);
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(loaded / total));
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(request.response);
      const reason = request.response?.error?.message;
      reject(new Rejected(reason ?? `The service answered ${request.status}.`, request.status));
    });
    const lost = () => reject(new Rejected('The connection to the service was lost.', 0));
    request.addEventListener('error', lost);
    const body = new FormData();
    body.set('file', file, file.name);
    request.send(body);
  });
}
