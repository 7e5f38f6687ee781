// The messages between the API and its parser process.
import type { RequestedItem } from '../../models/contract/batch-item.ts';
import type { ErrorCode } from '../../models/contract/errors.ts';
import type { ParsedBatch } from './parse-batch.ts';

export type ToParser =
  /** The next bytes of the body; not answered. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The body is complete. */
  | { readonly kind: 'parse' }
  /** Requests the next piece of the items. */
  | { readonly kind: 'next' };

export type FromParser =
  | {
      readonly kind: 'rejected';
      readonly code: ErrorCode;
      readonly message: string;
      readonly param: string | null;
    }
  | ({ readonly kind: 'parsed' } & Pick<ParsedBatch, 'head' | 'fingerprint'>)
  /** null: there are no more. */
  | { readonly kind: 'items'; readonly items: readonly RequestedItem[] | null };
