// A form (RFC 7578) whose file is read while it is sent. Not `FormData`, with which a request of
// Node never ends when its file changes meanwhile, and which takes no stream.
import type { RequestBody } from './transport.ts';

export interface MultipartForm {
  readonly fields: readonly (readonly [string, string])[];
  /** File name of the part `file`. */
  readonly name: string;
  readonly type: string;
  readonly data: Blob | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>;
}

export function multipartForm(form: MultipartForm): RequestBody {
  const boundary = `form-${crypto.randomUUID()}`;
  const { data } = form;
  const head = headOf(form, boundary);
  const end = `\r\n--${boundary}--\r\n`;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return Symbol.asyncIterator in data
    ? { ...streamOf(head, data, end), contentType }
    : { content: new Blob([head, data, end]), contentType };
}

/** Everything before the bytes of the file. */
function headOf({ fields, name, type }: MultipartForm, boundary: string): string {
  const part = (headers: string): string => `--${boundary}\r\n${headers}\r\n\r\n`;
  const texts = fields.map(([field, value]) => {
    return `${part(`Content-Disposition: form-data; name="${quoted(field)}"`)}${value}\r\n`;
  });
  const file = `Content-Disposition: form-data; name="file"; filename="${quoted(name)}"`;
  return [...texts, part(`${file}\r\nContent-Type: ${type}`)].join('');
}

/** As browsers escape names in multipart forms. */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

function streamOf(
  head: string,
  chunks: AsyncIterable<Uint8Array>,
  end: string,
): Pick<RequestBody, 'content' | 'failure'> {
  const parts = partsOf(head, chunks, end);
  let failure: { readonly cause: unknown } | null = null;
  const content = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        failure = { cause };
        throw cause;
      }
    },
    // Whoever reads the file is told that the rest is not wanted.
    cancel: async () => void (await parts.return(undefined)),
  });
  return { content, failure: () => failure };
}

async function* partsOf(
  head: string,
  chunks: AsyncIterable<Uint8Array>,
  end: string,
): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  yield encoder.encode(head);
  for await (const chunk of chunks) {
    // A stream of Node with an encoding; its bytes may already be damaged.
    if (!ArrayBuffer.isView(chunk))
      throw new TypeError(`a recording is read as bytes, got ${typeof chunk}`);
    yield chunk;
  }
  yield encoder.encode(end);
  return undefined;
}
