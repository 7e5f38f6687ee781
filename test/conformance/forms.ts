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
