// Embedded object storage where versitygw is not available: SeaweedFS, with all its roles in one
// process.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { s3Folders } from '../setup/s3-choice.mjs';
import type { PartSpec } from './part.ts';
import { findListeningPorts } from './ports.ts';
import { s3ServerAccess, type S3ServerOptions } from './s3-server.ts';
import { writePrivateFile } from './secrets.ts';

/** Each bucket has its own volumes, and tests create many buckets; a volume grows as it fills. */
const maxVolumes = 10_000;
const volumeMiB = 1024;
/** Chunk size of objects: with the server's 4 MiB an upload costs more internal requests. */
const chunkMiB = 8;
/** Go's memory limits: without them it held 770 MB after uploads of 30 MB, with them 115 MB. */
const memory = { GOGC: '50', GOMEMLIMIT: '192MiB' };

/** Describes the server's process; writes its configuration. */
export async function seaweedPart(options: S3ServerOptions): Promise<PartSpec> {
  const folder = join(options.dataDirectory, s3Folders.seaweedfs);
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  configure(folder, options);
  return {
    name: 'S3 gateway',
    command: options.program,
    args: [
      ...['-logtostderr=true', '-v=-1', `-config_dir=${folder}`, 'server', `-dir=${data}`],
      ...['-ip=127.0.0.1', '-ip.bind=127.0.0.1', '-filer', '-s3', '-s3.iam=false'],
      ...[`-s3.config=${join(folder, 's3.json')}`, `-s3.port=${options.port}`],
      ...(await innerPorts(options)),
      // In its own folder: the path of a socket may have 107 bytes.
      ...['-filer.localSocket=filer.sock', `-filer.maxMB=${chunkMiB}`],
      ...['-s3.localSocket=s3.sock', '-disableHttp'],
      ...[`-volume.max=${maxVolumes}`, `-master.volumeSizeLimitMB=${volumeMiB}`],
      ...['-volume.preStopSeconds=0', '-master.telemetry=false'],
    ],
    env: memory,
    cwd: folder,
    logPath: options.logPath,
    privateFiles: true,
    stopSignal: 'SIGTERM',
    // Its roles wait 15 s for each other's streams, but whatever was acknowledged is already in its
    // files.
    stopSeconds: 2,
    readySeconds: 60,
    probe: () => requireService(options),
  };
}

/**
 * Its roles discover each other at every start, so their ports may change: master, volume server
 * and filer over HTTP and gRPC, and the gateway's gRPC. Two additional services are disabled.
 */
async function innerPorts({ promisedPorts }: S3ServerOptions): Promise<readonly string[]> {
  const names = ['master', 'volume', 'filer'].flatMap((role) => [
    `${role}.port`,
    `${role}.port.grpc`,
  ]);
  const ports = await findListeningPorts(names.length + 1, promisedPorts);
  return [
    ...[...names, 's3.port.grpc'].map((name, i) => `-${name}=${ports[i]}`),
    ...['-s3.port.iceberg=0', '-s3.port.lance=0'],
  ];
}

/**
 * Only clients with the stack's credentials are admitted; the roles sign requests to each other.
 */
function configure(folder: string, { accessKeyId, secretAccessKey }: S3ServerOptions): void {
  const credentials = [{ accessKey: accessKeyId, secretKey: secretAccessKey }];
  const identities = [{ name: 'svc', credentials, actions: ['Admin'] }];
  writePrivateFile(join(folder, 's3.json'), JSON.stringify({ identities }));
  const sections = ['signing', 'signing.read', 'filer_signing', 'filer_signing.read'];
  const keys = sections.map(
    (name) => `[jwt.${name}]\nkey = "${randomBytes(24).toString('hex')}"\n`,
  );
  writePrivateFile(join(folder, 'security.toml'), keys.join('\n'));
  // By default the first object of a bucket creates seven volumes.
  writePrivateFile(join(folder, 'master.toml'), '[master.volume_growth]\ncopy_1 = 1\n');
}

/** Its gateway answers before the other roles are ready, so the probe writes an object. */
async function requireService(options: S3ServerOptions): Promise<void> {
  const { openObjectStore } = await import('../../db/objects/object-store.ts');
  const objects = openObjectStore({ ...s3ServerAccess(options), bucket: 'svc-readiness' });
  try {
    await objects.ensureBucket();
    await objects.requireWritable();
  } finally {
    objects.close();
  }
}
