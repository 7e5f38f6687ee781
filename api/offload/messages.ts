// The messages between the API and a process that works for it.

export type ToChild<Request> =
  /** So many bytes of standard input are the input; answered by the head. */
  | { readonly kind: 'run'; readonly request: Request; readonly bytes: number }
  /** Answered by the next piece, null after the last one. */
  | { readonly kind: 'next' };

/** Sent in pieces, because copying one blocks the event loop for its length. */
export interface Answer<Head, Piece> {
  readonly head: Head;
  readonly pieces: Iterable<Piece>;
}
