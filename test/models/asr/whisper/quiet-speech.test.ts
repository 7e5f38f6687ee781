// Whisper on quiet speech: it is read as it is at any level.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadWhisper } from '../../../../models/asr/whisper/recognizer.ts';
import { toFloat } from '../../../../models/audio/waveform.ts';
import { openModelStore } from '../../../../models/bundles/store.ts';
import { readPcm } from '../../../eval/speech-data.ts';
import { testServers } from '../../../support/environment.ts';

const prompts = '/usr/share/asterisk/sounds/it_IT_m_Carlo';
const sentences = [
  { name: 'conf-getchannel', said: /digitare il numero del canale,? seguito dal tasto canc/i },
  { name: 'vm-reenterpassword', said: /digitare nuovamente la \S+ seguita dal tasto canc/i },
].map(({ name, said }) => ({ path: join(prompts, `${name}.wav`), said }));

test('sentences at a tenth and at a thirtieth of their level have the same words', async (t) => {
  if (!sentences.every(({ path }) => existsSync(path)))
    return void t.pass('its recordings are not on this machine');
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('whisper-base', 'whisper');
  const whisper = await loadWhisper(directory, manifest);
  for (const { path, said } of sentences) {
    const pcm = await readPcm(path);
    for (const gain of [1, 0.1, 0.03]) {
      const samples = toFloat(pcm.map((sample) => Math.round(sample * gain)));
      const [read] = await whisper.recognise([{ samples, language: 'it' }], { words: false });
      t.regex(read!.text, said, `${gain}`);
    }
  }
});
