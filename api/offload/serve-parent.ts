// The side of the child: one job after the other, each from its bytes to the pieces of its answer.
import type { Answer, ToChild } from './messages.ts';

/** Serves the parent until it disconnects. @param run what it throws ends the process */
export function serveParent<Request, Head, Piece>(
  run: (input: Buffer, request: Request) => Answer<Head, Piece>,
): void {
  let blocks: Buffer[] = [];
  let received = 0;
  let wanted: { readonly request: Request; readonly bytes: number } | null = null;
  let pieces: Iterator<Piece> | null = null;

  /** The request and its bytes arrive in either order, because they come by different ways. */
  const startOnceComplete = (): void => {
    if (wanted === null || received < wanted.bytes) return;
    const input = Buffer.concat(blocks);
    const { request } = wanted;
    [blocks, received, wanted] = [[], 0, null];
    const answer = run(input, request);
    pieces = answer.pieces[Symbol.iterator]();
    process.send!(answer.head);
  };
  const next = (): Piece | null => {
    const { value, done } = pieces?.next() ?? { value: null, done: true };
    if (done) pieces = null;
    return done ? null : value;
  };
  process.stdin.on('data', (block: Buffer) => {
    blocks.push(block);
    received += block.length;
    startOnceComplete();
  });
  process.on('message', (message: ToChild<Request>) => {
    if (message.kind === 'next') return void process.send!(next());
    wanted = message;
    startOnceComplete();
  });
  // A parent that was killed cannot stop this process.
  process.once('disconnect', () => process.exit(0));
}
