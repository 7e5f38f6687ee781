// Recordings: valid ones in large numbers, and files that cost a decoder more than their size.
import { longCall } from '../../bench/recordings.ts';
import { decoderBomb } from '../decoder-bomb.ts';
import { encode, speech, toWav } from '../../support/speech.ts';
import { postFile, postForm, requestJson, storm, type Attack } from '../attack.ts';

async function hourLongCall(): Promise<Buffer> {
  return encode(toWav(await longCall(60)), 'mp3', ['-b:a', '32k']);
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
