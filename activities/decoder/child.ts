// The guarded decoder process: one upload at a time, PCM blocks out, never trusted by its parent.
import { open } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { DecodeError, undecodable } from './decode-error.ts';
import { declaredLength } from './declared-length.ts';
import { decodeWithFfmpeg } from './ffmpeg-decoder.ts';
import type { DecodedAudio, DecodeJob, DecoderMessage, DecoderRequest } from './messages.ts';
import { decodeWav, readWavFormat, type PcmSink } from './wav-decoder.ts';

/** PCM blocks that may be under way to the parent. */
const windowBlocks = 4;
const edgeBytes = 1 << 16;
/** Encoder delay and padding, and rounding of declared durations. */
const toleranceSeconds = 0.3;

let unacknowledged = 0;
let onRoom: (() => void) | null = null;

function send(message: DecoderMessage): void {
  process.send?.(message);
}

function pcmSink(id: number): PcmSink {
  return async (pcm) => {
    send({ kind: 'pcm', id, pcm });
    unacknowledged += 1;
    while (unacknowledged >= windowBlocks) {
      const room = Promise.withResolvers<void>();
      onRoom = room.resolve;
      await room.promise;
    }
  };
}

async function decode(job: DecodeJob): Promise<DecodedAudio> {
  await using file = await open(job.path);
  const sink = pcmSink(job.id);
  const wav = job.container === 'wav' ? await readWavFormat(file, job.bytes) : null;
  // Awaited here: the file closes when this function returns.
  if (wav) return await decodeWav(file, wav, { job, sink });

  const head = Buffer.alloc(Math.min(edgeBytes, job.bytes));
  const tail = Buffer.alloc(head.length);
  await file.read(head, 0, head.length, 0);
  await file.read(tail, 0, tail.length, job.bytes - tail.length);
  const declared = declaredLength(job.container, { head, tail, fileBytes: job.bytes });
  if (declared.endMissing) throw undecodable('it is truncated: its end is missing');

  const { containerSeconds, ...decoded } = await decodeWithFfmpeg(job, sink);
  const seconds = decoded.sourceSamples / decoded.sourceRate;
  const expected = declared.seconds ?? containerSeconds;
  if (expected !== null && seconds < expected * 0.99 - toleranceSeconds) {
    const there = `${seconds.toFixed(1)} of its declared ${expected.toFixed(1)} seconds`;
    throw undecodable(`it is truncated: ${there} are there`);
  }
  return decoded;
}

process.once('disconnect', () => process.exit(0));
process.on('SIGINT', () => {});
setPriority(2);
process.on('message', (request: DecoderRequest) => {
  if (request.kind === 'taken') {
    unacknowledged -= 1;
    onRoom?.();
    return;
  }
  unacknowledged = 0;
  const { id } = request;
  decode(request).then(
    (decoded) => send({ kind: 'done', id, ...decoded }),
    (error: unknown) => {
      const known = error instanceof DecodeError ? error : undecodable(String(error));
      send({ kind: 'failed', id, code: known.code, message: known.message });
    },
  );
});
send({ kind: 'ready' });
