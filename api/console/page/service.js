// The page's client of the API; every error answer becomes an Error with the service's message.

/** @param {() => string} key */
export function createService(key) {
  const call = async (path, init = {}) => {
    const headers = { Authorization: `Bearer ${key()}`, ...init.headers };
    const response = await fetch(path, { ...init, headers });
    if (response.ok) return response;
    const body = await response.json().catch(() => null);
    throw new Error(body?.error?.message ?? `The service answered ${response.status}.`);
  };
  const json = async (path, init) => (await call(path, init)).json();
  return {
    /** The available tasks, models, languages and export formats. */
    choices: () => json('console/choices.json'),
    /** @param {string | null} after the last batch that is shown; null for the newest */
    batches: (after) => json(`v1/batches?limit=20${after === null ? '' : `&after=${after}`}`),
    items: (id) => json(`v1/batches/${id}/items?limit=200`),
    upload(file) {
      const body = new FormData();
      body.set('file', file, file.name);
      return json('v1/files', { method: 'POST', body });
    },
    start: (order) =>
      json('v1/batches', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(order),
      }),
    cancel: (id) => json(`v1/batches/${id}/cancel`, { method: 'POST' }),
    remove: (id) => json(`v1/batches/${id}`, { method: 'DELETE' }),
    results: async (id) => (await call(`v1/batches/${id}/results`)).blob(),
    exported: async (id, index, format) =>
      (await call(`v1/batches/${id}/items/${index}/export?format=${format}`)).blob(),
    /** Calls `show` with the batch whenever it has changed, until it has ended. */
    async watch(id, show) {
      const { body } = await call(`v1/batches/${id}/events`);
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const lines = (text + part.value).split('\n');
        text = lines.pop();
        for (const line of lines) {
          if (line.startsWith('data:')) show(JSON.parse(line.slice(5)));
        }
      }
    },
  };
}
