// A large answer as JSON that is made while it is sent: an hour of speech has thousands of words.
import { Readable } from 'node:stream';

/** Answers of fewer segments are one piece, with their length in the header. */
const largeSegments = 100;

interface Segmented {
  readonly segments: readonly unknown[];
}

/** The body for Koa: the object itself, or a stream of the same JSON text. */
export function segmentedBody<T extends Segmented>(result: T): T | Readable {
  if (result.segments.length < largeSegments) return result;
  return Readable.from(jsonPieces(result), { objectMode: false });
}

/** What `JSON.stringify` writes, but that `segments` come last, one at a time. */
export function* jsonPieces({ segments, ...rest }: Segmented): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"segments":[`;
  for (const [i, segment] of segments.entries()) {
    yield (i === 0 ? '' : ',') + JSON.stringify(segment);
  }
  yield ']}';
}
