// Recordings as callers have them, and as parts of a form.
import { multipartForm } from './multipart-form.ts';
import type { RequestBody } from './transport.ts';

export interface NamedRecording {
  readonly name: string;
  /** A function is called for each attempt, and its bytes are sent while they are read. */
  readonly data: Blob | Uint8Array<ArrayBuffer> | (() => AsyncIterable<Uint8Array>);
  /** MIME type; samples without a container need `audio/pcm` or `audio/f32le`. */
  readonly type?: string;
}

/** A file of a browser's input, or bytes with a name. */
export type Recording = File | NamedRecording;

/** Values of form fields; undefined is left out. */
export type FormFields = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * A form of the fields and, last, the recording, made anew for each attempt.
 * @throws for an empty field, which the service would take for one that is left out
 */
export function formBody(recording: Recording, fields: FormFields): () => RequestBody {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const [empty] = given.find(([, value]) => !/[^\s,]/.test(value)) ?? [];
  if (empty !== undefined) throw new Error(`${empty} is empty; leave it out instead`);
  const named = 'data' in recording ? recording : { name: recording.name, data: recording };
  const { name, data, type = data instanceof Blob ? data.type : '' } = named as NamedRecording;
  const form = { fields: given, name, type: type || 'application/octet-stream' };
  return () => multipartForm({ ...form, data: typeof data === 'function' ? data() : data });
}
