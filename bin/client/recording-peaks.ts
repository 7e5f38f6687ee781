// The outline of a local recording.
import { collectPeaks } from '../../models/audio/peaks.ts';
import { decodeLocal } from './decode-local.ts';

/** @throws when the service would not accept the file */
export async function recordingPeaks(path: string): Promise<readonly number[]> {
  const peaks = collectPeaks();
  await decodeLocal(path, (pcm) => peaks.add(pcm));
  return peaks.end();
}
