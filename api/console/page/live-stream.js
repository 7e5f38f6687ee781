// A lite stream with interim text, opened by a token: the key stays out of addresses and of sockets.

const liveProtocol = 'svceet.pcm.live.v1';

/**
 * @param {{token: string, url: string}} ticket a client token
 * @param {(message: object) => void} interim called with the messages before the final one
 */
export function openLiveStream({ token, url }, interim) {
  // The address of the page is right behind every proxy; that of the token need not be.
  const address = new URL(new URL(url).pathname, location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address, [liveProtocol, `auth.${token}`]);
  const ready = Promise.withResolvers();
  const final = Promise.withResolvers();
  // Whoever waits for either hears of an error; nobody may be waiting yet.
  for (const { promise } of [ready, final]) promise.catch(() => {});
  const fail = (text) => {
    for (const { reject } of [ready, final]) reject(new Error(text));
  };
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'ready') ready.resolve(message);
    else if (message.type === 'final') final.resolve(message);
    else if (message.retry_after_ms) setTimeout(commit, message.retry_after_ms);
    else if (message.type === 'error') fail(message.message);
    else interim(message);
  });
  socket.addEventListener('close', () => fail('The connection to the service was lost.'));
  const commit = () => socket.send('{"type":"commit"}');
  return {
    ready: ready.promise,
    /** Settles with the result, or with the error that ended the stream. */
    final: final.promise,
    send: (frame) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    },
    commit,
    close: () => socket.close(),
  };
}
