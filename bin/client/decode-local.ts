// Decodes a local recording as the service decodes uploads.
import { open } from 'node:fs/promises';
import { createDecoder } from '../../activities/decoder/decoder.ts';
import { sniffBytes, sniffContainer } from '../../models/audio/container.ts';

const maxSeconds = 4 * 3_600;

/**
 * @param onPcm gets the samples, mono at 16 kHz, as they are decoded
 * @throws when the service would not accept the file
 */
export async function decodeLocal(path: string, onPcm: (pcm: Int16Array) => void): Promise<void> {
  const file = await open(path);
  const head = Buffer.alloc(sniffBytes);
  const { bytesRead } = await file.read(head, 0, sniffBytes, 0);
  const { size: bytes } = await file.stat();
  await file.close();
  const container = sniffContainer(head.subarray(0, bytesRead));
  if (!container) throw new Error(`${path} is none of WAV, FLAC, MP3, M4A, OGG or WebM`);
  const decoder = createDecoder({ processes: 1 });
  try {
    const upload = { organizationId: 'own', path, container, bytes };
    await decoder.decode({ ...upload, minSeconds: 0, maxSeconds, onPcm });
  } finally {
    await decoder.close();
  }
}
