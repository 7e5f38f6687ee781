// Commands that read stored results: `svc export` and `svc redact`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { toWav, withDirectory } from '../../support/speech.ts';
import { callSvc, svcCommand } from '../../support/svc.ts';

const call = (...args: readonly string[]) => callSvc({}, ...args);

const result = (text: string) => ({
  object: 'speech.result',
  duration: 2,
  segments: [
    {
      ...{ start: 0, end: 1.5, text, speaker: 'speaker_0', styles: [] },
      emotions: [{ label: 'happy', score: 0.7 }],
      words: [{ word: text, start: 0, end: 1.5, confidence: 0.4 }],
    },
  ],
});

test('the lines of several recordings are results, each of its own', async (t) => {
  await withDirectory(async (folder) => {
    const path = join(folder, 'results.jsonl');
    const lines = ['calls/one.mp3', 'two.mp3'].map((file) =>
      JSON.stringify({ file, result: result('hello') }),
    );
    const error = { code: 'file_unreadable', message: 'there is no such file' };
    const failed = JSON.stringify({ file: 'gone.mp3', error });
    await writeFile(path, `${lines.join('\n')}\n`);
    const out = join(folder, 'out');
    t.is((await call('export', path, '--format', 'srt', '--out', out)).code, 0);
    t.deepEqual(await readdir(out), ['one.mp3.srt', 'two.mp3.srt']);
    await writeFile(path, `${lines[0]}\n${failed}\n`);
    const partly = await call('export', path, '--format', 'csv');
    t.is(partly.code, 2);
    t.regex(partly.stdout, /hello/);
    t.is(partly.stderr, 'gone.mp3: there is no such file\n');
    await writeFile(path, `${failed}\n`);
    const none = await call('export', path, '--format', 'csv');
    t.is(none.code, 1);
    t.regex(none.stderr, /none of the recordings has a result/);
    await writeFile(path, `${lines[0]}\n{"file"\n`);
    t.regex(
      (await call('export', path, '--format', 'csv')).stderr,
      /results\.jsonl is no JSON: line 2/,
    );
  });
});

test('several results make one table, or a document each', async (t) => {
  await withDirectory(async (folder) => {
    const paths = ['one', 'two'].map((name) => join(folder, `${name}.mp3.json`));
    for (const path of paths) await writeFile(path, JSON.stringify(result('hello')));
    const csv = await call('export', ...paths, '--format', 'csv');
    t.deepEqual(
      csv.stdout
        .trim()
        .split('\r\n')
        .map((line) => line.split(',')[0]),
      ['file', 'one.mp3', 'two.mp3'],
    );
    const metrics = await call('export', ...paths, '--format', 'metrics');
    t.deepEqual(
      JSON.parse(metrics.stdout).map((each: any) => [each.file, each.low_confidence_words]),
      [
        ['one.mp3', 1],
        ['two.mp3', 1],
      ],
    );
    const srt = await call('export', ...paths, '--format', 'srt');
    t.is(srt.code, 1);
    t.regex(srt.stderr, /^svc: srt is one document per recording: give --out FOLDER/);
    const out = join(folder, 'out');
    t.is((await call('export', ...paths, '--format', 'srt', '--out', out)).code, 0);
    t.deepEqual(await readdir(out), ['one.mp3.srt', 'two.mp3.srt']);
    await mkdir(join(folder, 'other'));
    const same = join(folder, 'other', 'one.mp3.json');
    await writeFile(same, JSON.stringify(result('hello')));
    const apart = await call('export', paths[0]!, same, '--format', 'srt', '--out', out);
    t.is(apart.code, 0, apart.stderr);
    t.deepEqual(await readdir(join(out, 'other')), ['one.mp3.srt']);
    const named = await call('export', paths[0]!, same, '--format', 'csv');
    t.regex(named.stdout, /\r\none\.mp3,[^]*\r\nother\/one\.mp3,/);
    const twice = await call('export', same, same, '--format', 'srt', '--out', out);
    t.regex(twice.stderr, /two results would be written to one\.mp3\.srt/);
  });
});

test('results are read where a process may open fewer files than there are', async (t) => {
  await withDirectory(async (folder) => {
    const names = Array.from({ length: 400 }, (_, i) => `${i}.mp3.json`);
    for (const name of names) await writeFile(join(folder, name), JSON.stringify(result('hello')));
    const [program, args] = svcCommand('export', ...names, '--format', 'metrics');
    const limited = ['-c', 'ulimit -n 128 && exec "$@"', 'sh', program, ...args];
    const child = spawn('sh', limited, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    t.is(JSON.parse(await text(child.stdout)).length, names.length);
    const none = await call('export', join(folder, 'none.json'), '--format', 'csv');
    t.regex(none.stderr, /none\.json cannot be read: no such file or directory\n$/);
  });
});

test('a result without redactions cannot be redacted', async (t) => {
  await withDirectory(async (folder) => {
    const path = join(folder, 'one.json');
    await writeFile(path, JSON.stringify(result('hello')));
    const { code, stderr } = await call('redact', path, '--audio', 'a.wav', '--out', 'b.wav');
    t.is(code, 1);
    t.regex(stderr, /has no redactions: analyse with --redact or --redact-names/);
    const lines = join(folder, 'results.jsonl');
    const line = JSON.stringify({ file: 'a.wav', result: { ...result('hello'), redactions: [] } });
    await writeFile(lines, `${line}\n${line}\n`);
    const several = await call('redact', lines, '--audio', 'a.wav', '--out', 'b.wav');
    const told = `${lines} has the results of 2 recordings; name a file of one`;
    t.deepEqual([several.code, several.stderr], [1, `svc: ${told}\n`]);
  });
});

test('redacting never loses a recording, nor another file unasked', async (t) => {
  await withDirectory(async (folder) => {
    const [path, audio, out] = ['one.json', 'call.wav', 'there.wav'].map((n) => join(folder, n));
    await writeFile(path!, JSON.stringify({ ...result('hello'), redactions: [] }));
    await writeFile(audio!, toWav(new Int16Array(16_000)));
    await writeFile(out!, 'mine');
    await link(audio!, join(folder, 'other-name.wav'));
    const original = await readFile(audio!);
    const redact = (to: string, ...more: readonly string[]) =>
      call('redact', path!, '--audio', audio!, '--out', to, ...more);
    for (const same of [audio!, join(folder, 'other-name.wav')]) {
      const { code, stderr } = await redact(same, '--overwrite');
      t.is(code, 1);
      t.regex(stderr, /is the recording, which would be lost/);
    }
    t.deepEqual(await readFile(audio!), original);
    t.regex(
      (await redact(out!)).stderr,
      /there\.wav exists: name another file, or add --overwrite/,
    );
    t.is(await readFile(out!, 'utf8'), 'mine');
    t.is((await redact(out!, '--overwrite')).code, 0);
    t.is((await readFile(out!)).toString('latin1', 0, 4), 'RIFF');
  });
});

test('a pipe that closes early is no error', async (t) => {
  await withDirectory(async (folder) => {
    const path = join(folder, 'long.json');
    const segments = Array.from({ length: 5_000 }, () => result('word '.repeat(20)).segments[0]);
    await writeFile(path, JSON.stringify({ ...result(''), segments }));
    const child = spawn(...svcCommand('export', path, '--format', 'txt'));
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    await once(child, 'exit');
    t.is(errors, '');
  });
});
