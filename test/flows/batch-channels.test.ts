// Channels as speakers: each one transcribed alone, silent and missing ones reported, exports by
// role.
import test from 'ava';
import { batchResultSchema } from '../../api/results/line-schemas.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { call, readResults, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import { encode, silence, speech, toStereoWav, toWav, toWavOfChannels } from '../support/speech.ts';
import { testStack } from '../support/stack.ts';

const options = { channels: 'separate', channel_roles: ['agent', 'customer'] };

test.serial('the speaker of a channel is the one that the batch names', async (t) => {
  const stack = await testStack(t);
  const agent = await speech('Thank you for calling, how can I help you today?');
  const answer = await speech('I would like to change my address, please.', { voice: 'rms' });
  // The customer starts while the agent is still speaking.
  const customer = joinSamples([silence(agent.length / 16_000 - 1), answer]);
  const stereo = toStereoWav(agent, customer);
  const long = toStereoWav(
    joinSamples(Array.from({ length: 8 }, () => joinSamples([agent, silence(3)]))),
    joinSamples(
      Array.from({ length: 8 }, () => joinSamples([silence(agent.length / 16_000), answer])),
    ),
  );
  const files = [
    stereo,
    await encode(stereo, 'ogg'),
    toStereoWav(agent, silence(1)),
    toWav(agent),
    long,
  ];
  const ids = await Promise.all(files.map((file) => uploadFile(stack, file)));
  const { id } = await startBatch(stack, ids, { task: 'analysis', options });
  await untilBatch(stack, id);
  const lines = (await readResults(stack, id)).map((line) => batchResultSchema.parse(line));
  const said = (line: number, speaker: string): string =>
    lines[line]!.result!.segments.filter((segment) => segment.speaker === speaker)
      .map(({ text }) => text)
      .join(' ');
  for (const line of [0, 1]) {
    t.regex(said(line, 'speaker_0'), /thank you for calling/i);
    t.regex(said(line, 'speaker_1'), /change my address/i);
    t.notRegex(said(line, 'speaker_0'), /address/i);
    t.deepEqual(lines[line]!.result!.speakers, ['speaker_0', 'speaker_1']);
    const starts = lines[line]!.result!.segments.map(({ start }) => start);
    t.deepEqual(
      starts,
      starts.toSorted((a, b) => a - b),
    );
  }
  t.true(lines[0]!.metrics!.overlap_seconds > 0.3);
  t.true(
    lines[0]!.metrics!.speakers.every(({ loudness_dbfs: level }) => level! < 0 && level! > -60),
  );
  const states = lines.map(({ channels }) =>
    channels!.map(({ role, state }) => `${role} ${state}`),
  );
  const both = ['agent speech', 'customer speech'];
  t.deepEqual(states, [
    both,
    both,
    ['agent speech', 'customer silent'],
    ['agent speech', 'customer missing'],
    both,
  ]);
  t.is(said(4, 'speaker_0').match(/calling/gi)?.length, 8);
  t.is(said(4, 'speaker_1').match(/address/gi)?.length, 8);
  for (const { words, start, end } of lines[4]!.result!.segments) {
    t.true(words.every((word) => word.start >= start && word.end <= end));
  }
  const read = async (format: string) => {
    const headers = { Authorization: `Bearer ${stack.account.key}` };
    const path = `/v1/batches/${id}/items/0/export?format=${format}`;
    const response = await fetch(stack.base + path, { headers });
    return { type: response.headers.get('Content-Type'), text: await response.text() };
  };
  t.regex((await read('vtt')).text, /<v agent>Thank you/i);
  t.regex((await read('rttm')).text, /^SPEAKER item-0 1 .* agent /m);
  const html = await read('html');
  t.regex(html.text, /class="wave"/);
  t.regex(html.type ?? '', /^text\/html/);
  t.is(JSON.parse((await read('metrics')).text).speakers.length, 2);
  for (const path of ['items/9/export?format=srt', 'items/x/export?format=srt']) {
    t.is((await call(stack, `/v1/batches/${id}/${path}`)).status, 404, path);
  }
  t.is((await call(stack, `/v1/batches/${id}/items/0/export?format=pdf`)).status, 400);
});

test.serial('what a line lets into the other channel is not said there', async (t) => {
  const stack = await testStack(t);
  const agent = await speech('Thank you for calling, how can I help you today?');
  const answer = await speech('I would like to change my address, please.', { voice: 'rms' });
  const pause = silence(1);
  const left = joinSamples([agent, pause, silence(answer.length / 16_000)]);
  const own = joinSamples([silence(agent.length / 16_000), pause, answer]);
  const delay = 640;
  const right = own.map((sample, n) => sample + 0.1 * (left[n - delay] ?? 0));
  const files = [1, 8].map((times) => {
    const repeat = (pcm: Int16Array): Int16Array =>
      joinSamples(Array.from({ length: times }, () => joinSamples([pcm, pause])));
    return toStereoWav(repeat(left), repeat(right));
  });
  const ids = await Promise.all(files.map((file) => uploadFile(stack, file)));
  const { id } = await startBatch(stack, ids, { task: 'transcription', options });
  await untilBatch(stack, id);
  const lines = (await readResults(stack, id)).map((line) => batchResultSchema.parse(line));
  for (const [line, times] of [1, 8].entries()) {
    const said = (speaker: string): string =>
      lines[line]!.result!.segments.filter((segment) => segment.speaker === speaker)
        .map(({ text }) => text)
        .join(' ');
    t.is(said('speaker_0').match(/calling/gi)?.length, times);
    t.is(said('speaker_1').match(/address/gi)?.length, times);
    t.notRegex(said('speaker_1'), /calling|help/i);
  }
});

test.serial('channels beyond the second are charged where they contain speech', async (t) => {
  const stack = await testStack(t);
  const call = await speech('Thank you for calling, how can I help you today?');
  const quiet = new Int16Array(call.length);
  const files = [
    [call, call],
    [call, quiet, call, quiet],
    [call, call, call, quiet],
    [call, call, call, call],
  ].map(toWavOfChannels);
  const ids = await Promise.all(files.map((file) => uploadFile(stack, file)));
  const { id } = await startBatch(stack, ids, { task: 'transcription', options });
  const ended = await untilBatch(stack, id);
  const lines = (await readResults(stack, id)).map((line) => batchResultSchema.parse(line));
  const length = Math.ceil(call.length / 16_000);
  t.deepEqual(
    lines.map(({ result }) => result!.usage.billable_seconds),
    [1, 1, 2, 3].map((times) => times * length),
  );
  t.is(ended.audio_seconds.done, 7 * length);
  const { organizationId } = stack.account;
  const { seconds } = await stack.db
    .selectFrom('ledger')
    .select(({ fn }) => fn.sum('seconds').as('seconds'))
    .where('organizationId', '=', organizationId)
    .where('kind', '=', 'debit')
    .executeTakeFirstOrThrow();
  t.is(Number(seconds), 7 * length);
});

test.serial('options that exclude each other are rejected, and nothing is created', async (t) => {
  const stack = await testStack(t, { worker: false });
  const id = await uploadFile(stack, toWav(await speech('Hello.')));
  const rejected = async (body: object, param: string): Promise<void> => {
    const items = [{ custom_id: 'a', file_id: id }];
    const order = { task: 'analysis', items, ...body };
    const answer = await call(stack, '/v1/batches', { method: 'POST', body: order });
    t.is(answer.status, 400, JSON.stringify(body));
    t.is(answer.body.error.param, param);
  };
  await rejected({ options: { ...options, diarize: true } }, 'options.diarize');
  await rejected({ options: { channel_roles: ['agent'] } }, 'options.channel_roles');
  await rejected({ options: { ...options, channel_roles: ['a', 'a'] } }, 'options.channel_roles');
  await rejected({ options: { num_speakers: 2 } }, 'options.num_speakers');
  await rejected(
    { task: 'transcription', options: { include_logits: true } },
    'options.include_logits',
  );
  await rejected({ task: 'proficiency' }, 'task');
  await rejected({ model: 'svc-spectra-2' }, 'model');
  await rejected({ model: 'svc-spectra-1' }, 'model');
  await rejected({ model: 'svc-fourier', options: { diarize: true } }, 'options.diarize');
  await rejected({ items: [] }, 'items');
  await rejected({ items: [{ custom_id: 'a', file_id: 'file-0' }] }, 'items.0.file_id');
  const unknown = `file-${'0'.repeat(24)}`;
  await rejected({ items: [{ custom_id: 'a', file_id: unknown }] }, 'items.0.file_id');
  await rejected({ items: [{ custom_id: 'a\u0000', file_id: id }] }, 'items.0.custom_id');
  const twice = [1, 2].map(() => ({ custom_id: 'a', file_id: id }));
  await rejected({ items: twice }, 'items.1.custom_id');
  await rejected({ colour: 'red' }, 'colour');
  await rejected({ webhook: { url: 'https://127.0.0.1/hook' } }, 'webhook.url');
  await rejected(
    { output_expires_after: { anchor: 'created_at', seconds: 5 } },
    'output_expires_after.seconds',
  );
  t.deepEqual((await call(stack, '/v1/batches')).body.data, []);
});
