// A form (RFC 7578) whose file is sent while it is read: `FormData` takes only what is there whole.
import type { RequestBody } from './transport.ts';

export interface StreamedForm {
  readonly fields: readonly (readonly [string, string])[];
  /** File name of the part `file`. */
  readonly name: string;
  readonly type: string | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export function multipartStream(form: StreamedForm): RequestBody {
  const boundary = `form-${crypto.randomUUID()}`;
  const parts = partsOf(form, boundary);
  const content = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // Whoever reads the file is told that the rest is not wanted.
    cancel: async () => void (await parts.return(undefined)),
  });
  return { content, contentType: `multipart/form-data; boundary=${boundary}` };
}

async function* partsOf(
  { fields, name, type = 'application/octet-stream', chunks }: StreamedForm,
  boundary: string,
): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  const head = (headers: string): Uint8Array => encoder.encode(`--${boundary}\r\n${headers}\r\n`);
  for (const [field, value] of fields) {
    yield head(`Content-Disposition: form-data; name="${quoted(field)}"\r\n`);
    yield encoder.encode(`${value}\r\n`);
  }
  const names = `name="file"; filename="${quoted(name)}"`;
  yield head(`Content-Disposition: form-data; ${names}\r\nContent-Type: ${type}\r\n`);
  yield* chunks;
  yield encoder.encode(`\r\n--${boundary}--\r\n`);
  return undefined;
}

/** As browsers escape names in multipart forms. */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
