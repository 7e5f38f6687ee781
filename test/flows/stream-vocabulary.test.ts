// Terms that streams prefer: those of the organization, and those of a client beside interim text.
import test from 'ava';
import { setVocabulary } from '../../db/vocabulary-defaults.ts';
import { framesOf, openSocket } from '../support/sockets.ts';
import { speech } from '../support/speech.ts';
import { testStack } from '../support/stack.ts';

const spectraPath = '/v1/audio/spectra-2/stream';
const litePath = '/v1/audio/transcriptions/stream';
const start = { type: 'start', model: 'svc-spectra-2', task: 'analysis' };

test('streams prefer terms of their organization and, with interim text, their own', async (t) => {
  const stack = await testStack(t, { worker: false, streams: true });
  const { base, account } = stack;
  const frames = framesOf(await speech('Is it gray or green?'));
  const shadeOf = (text: string): string | undefined => /gr[ae]y/i.exec(text)?.[0];
  const lite = async (protocol: string, terms: readonly string[] | null = null) => {
    const stream = openSocket(base, litePath, { protocols: [protocol], key: account.key });
    await stream.message('ready');
    if (terms) stream.send({ type: 'vocabulary', terms });
    for (const frame of frames) stream.send(frame);
    stream.send({ type: 'commit' });
    const { messages } = await stream.ended;
    return shadeOf(messages.at(-1).text);
  };
  const otherThan = (shade: string | undefined) => (shade === 'grey' ? 'gray' : 'grey');
  const term = otherThan(await lite('svceet.pcm.v1'));
  t.is(await lite('svceet.pcm.live.v1', ['Xanthippe', term]), term);
  const { organizationId } = account;
  await setVocabulary(stack.db, { organizationId, actor: 'test', terms: [term] });
  t.is(await lite('svceet.pcm.v1'), term);

  const [plain, live] = ['svc.spectra2.v1', 'svc.spectra2.live.v1'];
  await setVocabulary(stack.db, { organizationId, actor: 'test', terms: [] });
  const spectraText = async (protocol: string, more: object): Promise<any> => {
    const stream = openSocket(base, spectraPath, { protocols: [protocol], key: account.key });
    stream.socket.once('open', () => stream.send({ ...start, ...more }));
    const ready = await Promise.race([stream.message('ready'), stream.ended.then(() => null)]);
    for (const frame of ready ? frames : []) stream.send(frame);
    if (ready) stream.send({ type: 'finish' });
    return (await stream.ended).messages.at(-1);
  };
  const written = await spectraText(live, {});
  const other = otherThan(shadeOf(written.text));
  const preferred = await spectraText(live, { vocabulary: [other] });
  t.is(shadeOf(preferred.text), other);
  t.is((await spectraText(plain, { vocabulary: [other] })).error.code, 'unknown_field');
});
