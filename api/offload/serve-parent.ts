// The side of the child: one job after the other, each from its bytes to the pieces of its answer.
import type { Answer, ToChild } from './messages.ts';

/** Serves the parent until it disconnects. @param run what it throws ends the process */
export function serveParent<Request, Head, Piece>(
  run: (input: Buffer, request: Request) => Answer<Head, Piece>,
): void {
  let blocks: Uint8Array[] = [];
  let pieces: Iterator<Piece> | null = null;

  const start = (request: Request): Head => {
    const input = Buffer.concat(blocks);
    blocks = [];
    const answer = run(input, request);
    pieces = answer.pieces[Symbol.iterator]();
    return answer.head;
  };
  const next = (): Piece | null => {
    const { value, done } = pieces?.next() ?? { value: null, done: true };
    if (done) pieces = null;
    return done ? null : value;
  };
  process.on('message', (message: ToChild<Request>) => {
    if (message.kind === 'bytes') blocks.push(message.bytes);
    else process.send!(message.kind === 'run' ? start(message.request) : next());
  });
  // A parent that was killed cannot stop this process.
  process.once('disconnect', () => process.exit(0));
}
