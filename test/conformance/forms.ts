// Forms that the sections of requests send to one endpoint or to all of the common shape.
import { wavOf } from './recordings.ts';
import { rejected, type Answer, type FileRequest, type Service } from './service.ts';

export const commonPaths = ['transcriptions', 'emotions', 'styles', 'affect', 'analysis'] as const;

/** @param file default: a second of a tone */
export function postForm(
  service: Service,
  path: string,
  fields: NonNullable<FileRequest['fields']>,
  file: Buffer = wavOf(16_000),
): Promise<Answer> {
  return service.post(`/v1/audio/${path}`, { file, fields });
}

/** Expects the same rejection from each of the paths. */
export async function everywhere(
  service: Service,
  fields: NonNullable<FileRequest['fields']>,
  [status, code]: readonly [status: number, code: string],
  paths: readonly string[] = commonPaths,
): Promise<void> {
  for (const path of paths) rejected(await postForm(service, path, fields), status, code);
}

/**
 * A form of so many bytes in all: what the fields and the file leave is in front of the first
 * part, where it says nothing (RFC 2046, 5.1.1).
 */
export function postBytes(
  service: Service,
  path: string,
  form: { readonly fields: NonNullable<FileRequest['fields']>; readonly file: Buffer },
  bytes: number,
): Promise<Answer> {
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`;
  const fields = form.fields.map(([name, value]) => `${part(name)}\r\n\r\n${value}\r\n`);
  const head = `${fields.join('')}${part('file')}; filename="a.wav"\r\n\r\n`;
  const end = '\r\n--b--\r\n';
  const filler = `${' '.repeat(bytes - head.length - form.file.length - end.length - 2)}\r\n`;
  const body = Buffer.concat([Buffer.from(filler + head), form.file, Buffer.from(end)]);
  const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
  return service.sendBytes(`/v1/audio/${path}`, body, type);
}
