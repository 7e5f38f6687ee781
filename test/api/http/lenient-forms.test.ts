// What a request may name that has no effect: types of empty bodies, types of files, fields.
import test from 'ava';
import { silence, toWav } from '../../support/speech.ts';
import { testStack } from '../../support/stack.ts';

test('an empty body is one whatever its type; a body needs its own', async (t) => {
  const { base, account } = await testStack(t, { worker: false });
  const issue = (type: string, body: string) =>
    fetch(`${base}/v1/client-token`, {
      ...{ method: 'POST', body },
      headers: { Authorization: `Bearer ${account.key}`, 'Content-Type': type },
    });
  t.is((await issue('application/x-www-form-urlencoded', '')).status, 200);
  t.is((await issue('text/plain', '')).status, 200);
  t.is((await issue('application/json', '')).status, 200);
  t.is((await issue('application/x-www-form-urlencoded', 'a=1')).status, 415);
  t.is((await issue('text/plain', '{}')).status, 415);
});

test('a recording may have any type where the model takes no raw samples', async (t) => {
  const stack = await testStack(t, { worker: false, answerDeadlineMs: 1 });
  const file = toWav(silence(1));
  const send = async (path: string, model: string) => {
    const form = new FormData();
    form.set('model', model);
    form.set('file', new Blob([new Uint8Array(file)], { type: 'audio/pcm' }), 'call');
    const response = await fetch(`${stack.base}/v1/audio/${path}`, {
      ...{ method: 'POST', body: form },
      headers: { Authorization: `Bearer ${stack.account.key}` },
    });
    const { error } = (await response.json()) as any;
    return error.code as string;
  };
  for (const path of ['emotions', 'transcriptions', 'analysis']) {
    t.is(
      await send(path, 'svc-resonance'),
      'timeout',
      `${path}: accepted, though no worker runs it`,
    );
  }
  t.is(await send('transcriptions', 'svc-spectra-2'), 'unsupported_audio');
  t.is(await send('synthetic-speech', 'svczero'), 'model_unavailable', 'interface.md: 503');
});
