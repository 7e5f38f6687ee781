// Recordings as callers have them, and as parts of a form.
import { multipartStream } from './multipart-stream.ts';
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

/** A form of the fields and, last, the recording, made anew for each attempt. */
export function formBody(recording: Recording, fields: FormFields): () => RequestBody {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const named = 'data' in recording ? recording : { name: recording.name, data: recording };
  const { name, data, type } = named as NamedRecording;
  if (typeof data === 'function')
    return () => multipartStream({ fields: given, name, type, chunks: data() });
  return () => {
    const content = new FormData();
    for (const [field, value] of given) content.append(field, value);
    content.set('file', blobOf(data, type), name);
    return { content };
  };
}

function blobOf(data: Blob | Uint8Array<ArrayBuffer>, type: string | undefined): Blob {
  if (data instanceof Blob && (type === undefined || data.type === type)) return data;
  return new Blob([data], { type: type ?? '' });
}
