// The parts of a request on a recording that its fingerprint and its price depend on.
import type { ModelId } from './catalog.ts';
import type { Container } from './containers.ts';
import type { Redaction } from './redaction.ts';
import type { RecordingTask } from './tasks.ts';

/** Options that change the answer. */
export interface AnalysisOptions {
  readonly diarize: boolean;
  readonly numSpeakers: number | null;
  readonly includeLogits: boolean;
  /** Each channel is a speaker; absent when the channels are mixed. */
  readonly separateChannels?: true;
  /** ISO 639-1 code of the spoken language; absent to detect it. */
  readonly language?: string;
  /** Writes spoken numbers in digits; absent to leave them as they are decoded. */
  readonly formatNumbers?: true;
  /** What is removed from the transcript; absent for nothing. */
  readonly redact?: Redaction;
  /**
   * Words and phrases that recognition prefers where they sound alike; absent for none. Histories
   * name where they are instead.
   */
  readonly vocabulary?: readonly string[];
}

/** Determines the steps of the analysis. */
export interface RecordingRequest {
  readonly task: RecordingTask;
  readonly model: ModelId;
  readonly options: AnalysisOptions;
  /** Key of the object with the transcript of a reading; absent without one. */
  readonly transcriptKey?: string;
}

/** The object that a recording was uploaded to. */
export interface UploadedAudio {
  readonly key: string;
  readonly container: Container;
  readonly bytes: number;
  /** Hex; absent where storage received the bytes, and in histories of earlier versions. */
  readonly sha256?: string;
}

/** A recording that is still to be fetched from the address in its file's row. */
export interface RemoteAudio {
  /** Of the file; no object has it. */
  readonly key: string;
  readonly fileId: string;
}

export function isRemote(upload: UploadedAudio | RemoteAudio): upload is RemoteAudio {
  return 'fileId' in upload;
}

/** The slot of a prepared session that a request spends. */
export interface SessionSlot {
  readonly sessionId: string;
  readonly slot: number;
}
