// Recordings: valid ones in large numbers, and files that cost a decoder more than their size.
import { longCall } from '../../bench/recordings.ts';
import { decoderBomb } from '../decoder-bomb.ts';
import { encode, speech, speechIn, toWav } from '../../support/speech.ts';
import { postFile, postForm, requestJson, storm, type Attack } from '../attack.ts';

/** An MP3 file of 14 MB. */
export async function hourLongCall(): Promise<Buffer> {
  return encode(toWav(await longCall(60)), 'mp3', ['-b:a', '32k']);
}

/** Letters for a number: terms are words. */
function spelt(number: number): string {
  return Array.from(String(number), (digit) => 'abcdefghij'[Number(digit)]).join('');
}

export const recordingAttacks: readonly Attack[] = [
  {
    name: 'long-calls',
    does: 'calls of an hour, diarized analysis with logits, 24 at a time',
    async run(target, signal) {
      const file = await hourLongCall();
      const fields = { diarize: 'true', include_logits: 'true' };
      await storm(24, signal, () =>
        postForm(target, '/v1/audio/analysis', { file, fields, signal }),
      );
    },
  },
  {
    name: 'largest-clips',
    does: 'calls of nearly two minutes, diarized analysis with logits, 32 at a time',
    async run(target, signal) {
      const file = await encode(toWav(await longCall(1.95)), 'mp3', ['-b:a', '48k']);
      const fields = { diarize: 'true', include_logits: 'true' };
      await storm(32, signal, () =>
        postForm(target, '/v1/audio/analysis', { file, fields, signal }),
      );
    },
  },
  {
    name: 'file-floods',
    does: 'files of 14 MB, uploaded and deleted again, eight at a time',
    async run(target, signal) {
      const file = await hourLongCall();
      await storm(8, signal, async () => {
        const id = await postFile(target, { file, signal });
        if (id === null) return;
        await requestJson(target, `/v1/files/${id}`, { method: 'DELETE', signal });
      });
    },
  },
  {
    name: 'clip-flood',
    does: '2 s clips, 64 at a time',
    async run(target, signal) {
      const file = toWav(await speech('Please hold the line for a moment.'));
      await storm(64, signal, () => postForm(target, '/v1/audio/transcriptions', { file, signal }));
    },
  },
  {
    name: 'vocabulary-floods',
    does: '2 s clips with a hundred terms each, 32 at a time',
    async run(target, signal) {
      const file = toWav(await speech('Please hold the line for a moment.'));
      const vocabulary = Array.from({ length: 100 }, (_, i) => `Hollen lyne ${spelt(i)}`).join();
      await storm(32, signal, () =>
        postForm(target, '/v1/audio/transcriptions', { file, fields: { vocabulary }, signal }),
      );
    },
  },
  {
    name: 'transcript-floods',
    does: 'proficiency of a minute with a transcript of 20,000 characters, sixteen at a time',
    async run(target, signal) {
      const file = toWav(await longCall(1));
      const transcript = 'please hold the line for a moment '.repeat(580).slice(0, 20_000);
      const fields = { model: 'svc-proficiency-1', transcript };
      await storm(16, signal, () =>
        postForm(target, '/v1/audio/proficiency', { file, fields, signal }),
      );
    },
  },
  {
    name: 'foreign-floods',
    does: 'clips of four seconds in German, 32 at a time',
    async run(target, signal) {
      const german = 'Guten Tag, ich möchte gerne wissen, wann mein neues Telefon ankommt.';
      const file = toWav(await speechIn('de', german));
      await storm(32, signal, () => postForm(target, '/v1/audio/transcriptions', { file, signal }));
    },
  },
  {
    name: 'spectra-flood',
    does: 'Spectra-2 clips of a minute, 64 at a time',
    async run(target, signal) {
      const file = toWav(await longCall(1));
      const fields = { model: 'svc-spectra-2' };
      await storm(64, signal, () =>
        postForm(target, '/v1/audio/analysis', { file, fields, signal }),
      );
    },
  },
  {
    name: 'decoder-bombs',
    does: 'a megabyte of FLAC that holds an hour of 384 kHz in eight channels, 16 at a time',
    async run(target, signal) {
      const file = decoderBomb();
      await storm(16, signal, () => postForm(target, '/v1/audio/transcriptions', { file, signal }));
    },
  },
];
