// What the run of a request is started with.
import type { RepeatRule } from '../../db/claim-decision.ts';
import type { RecordingRequest, SessionSlot } from '../../models/contract/recording-request.ts';
import type { Redaction } from '../../models/contract/redaction.ts';
import type { OwnedUpload } from '../upload/store-upload.ts';

/** A request whose upload is stored and whose fields are valid. */
export interface RunRequest extends RecordingRequest {
  readonly organizationId: string;
  readonly keyId: string;
  readonly requestId: string;
  /**
   * What the organization removes from every transcript; null for nothing. No part of the
   * fingerprint, because the caller did not say it.
   */
  readonly redaction: Redaction | null;
  /** Terms that recognition prefers in each of its recordings; no part of it either. */
  readonly vocabulary: readonly string[];
  /** How the answer is made of the analysis, where the caller chooses: part of the fingerprint. */
  readonly answer?: Readonly<Record<string, string>>;
  readonly upload: OwnedUpload;
  /** Slot of a prepared session that pays; absent: the account pays. */
  readonly slot?: SessionSlot;
  /** Text that was read; null or absent without one. */
  readonly transcript?: string | null;
  /** Default: a repeat of a completed request is 409. */
  readonly repeats?: RepeatRule;
}
