// The guarded decoder process: it decodes one upload at a time into PCM blocks, and its parent
// never trusts it.
import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { openParentChannel } from '../../models/sandbox/channel.ts';
import { DecodeError, undecodable } from './decode-error.ts';
import { decodeJob } from './decode-job.ts';
import type { DecoderMessage, DecoderRequest } from './messages.ts';
import type { PcmSink } from './wav-decoder.ts';

/** PCM blocks that may be in flight to the parent. */
const windowBlocks = 4;

let unacknowledged = 0;
let onCapacity: (() => void) | null = null;

function pcmSink(id: number): PcmSink {
  return async (pcm) => {
    send({ kind: 'pcm', id, pcm });
    unacknowledged += 1;
    while (unacknowledged >= windowBlocks) {
      const capacity = Promise.withResolvers<void>();
      onCapacity = capacity.resolve;
      await capacity.promise;
    }
  };
}

process.on('SIGINT', () => {});
const [niceness] = process.argv.slice(2);
setPriority(Math.max(getPriority(), Number(niceness)));

/** Without its folder it would take every recording for one that cannot be decoded. */
function enter(folder: string): void {
  try {
    readdirSync(folder);
  } catch (error) {
    const others = 'users of their own, as decoders are, have to be able to enter the folder above';
    process.stderr.write(`${String(error)}: ${others} (SVC_TEMPORARY_DIR)\n`);
    process.exit(1);
  }
  send({ kind: 'ready' });
}

function receive(request: DecoderRequest): void {
  if (request.kind === 'folder') return enter(request.path);
  if (request.kind === 'consumed') {
    unacknowledged -= 1;
    onCapacity?.();
    return;
  }
  unacknowledged = 0;
  const { id } = request;
  decodeJob(request, pcmSink(id)).then(
    (decoded) => send({ kind: 'done', id, ...decoded }),
    (error: unknown) => {
      const known = error instanceof DecodeError ? error : undecodable(String(error));
      send({ kind: 'failed', id, code: known.code, message: known.message });
    },
  );
}

const parent = openParentChannel((request) => receive(request as DecoderRequest));
const send = (message: DecoderMessage): void => parent.send(message);
