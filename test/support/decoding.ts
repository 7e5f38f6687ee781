// Decoding of bytes in tests, through the guarded process.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import {
  createDecoder,
  type DecodedAudio,
  type DecodeRequest,
} from '../../activities/decoder/decoder.ts';
import { sniffBytes, sniffContainer } from '../../models/audio/container.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { withDirectory } from './speech.ts';

type Options = Partial<
  Pick<
    DecodeRequest,
    'organizationId' | 'onPcm' | 'minSeconds' | 'maxSeconds' | 'channel' | 'signal'
  >
>;

export interface TestDecoder {
  readonly decode: (bytes: Buffer, options?: Options) => Promise<DecodedAudio>;
}

/** Accepts recordings of 0.1 to 60 s; closed with the test. */
export function aDecoder(t: ExecutionContext, processes = 2): TestDecoder {
  const decoder = createDecoder({ processes });
  t.teardown(() => decoder.close());
  return {
    decode: (bytes, options = {}) =>
      withDirectory(async (directory) => {
        const container = sniffContainer(bytes.subarray(0, sniffBytes));
        if (!container) throw new ServiceError('unsupported_audio', 'not sniffed');
        const path = join(directory, 'upload');
        await writeFile(path, bytes);
        const file = { path, container, bytes: bytes.length, organizationId: 'org_test' };
        const limits = { minSeconds: 0.1, maxSeconds: 60, onPcm: () => {} };
        return decoder.decode({ ...file, ...limits, ...options });
      }),
  };
}
