// Certificates for a test: an authority of its own, one for localhost, one of a client.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.ts';

export interface Certificate {
  readonly certPath: string;
  readonly keyPath: string;
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  readonly folder: string;
  readonly authorityPath: string;
  readonly authority: string;
  /** For the names that were asked for, and for no address. */
  readonly server: Certificate;
  readonly client: Certificate;
}

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export function makeCertificates(
  t: Cleanup,
  names: readonly string[] = ['localhost'],
): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const self = ['-x509', '-days', '2', '-subj', '/CN=test authority'];
  openssl('req', ...self, ...curve, '-keyout', at('ca.key'), '-out', at('ca.pem'));
  const issue = (name: string, extension: string): Certificate => {
    const [request, certPath, keyPath] = [at(`${name}.csr`), at(`${name}.pem`), at(`${name}.key`)];
    openssl('req', ...curve, '-subj', `/CN=${name}`, '-keyout', keyPath, '-out', request);
    writeFileSync(at(`${name}.ext`), extension);
    const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2'];
    openssl('x509', '-req', '-in', request, ...by, '-extfile', at(`${name}.ext`), '-out', certPath);
    const [cert, key] = [readFileSync(certPath, 'utf8'), readFileSync(keyPath, 'utf8')];
    return { certPath, keyPath, cert, key };
  };
  return {
    folder,
    authorityPath: at('ca.pem'),
    authority: readFileSync(at('ca.pem'), 'utf8'),
    server: issue('server', `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`),
    client: issue('client', 'extendedKeyUsage=clientAuth'),
  };
}
