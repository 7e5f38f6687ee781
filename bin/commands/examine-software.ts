// `svc doctor`, the libraries within the processes: Node, ONNX Runtime, FFmpeg's libraries, model
// files.
import { existsSync } from 'node:fs';
import { inferenceCode } from '../../models/inference/process.ts';
import { openModelStore, type VerifyOptions } from '../../models/bundles/store.ts';
import { findSandbox, isRoot } from '../../models/sandbox/detect.ts';
import { isolationOf } from '../../models/sandbox/isolation.ts';
import { readConfig, type Environment } from '../settings/read-config.ts';
import { modelSettings } from '../settings/service-config.ts';
import { examine, type Finding } from './finding.ts';

const neededNode = 24;

/** Examines the libraries by loading them. */
export function examineSoftware(): Promise<readonly Finding[]> {
  return Promise.all([
    examine('Node', () => {
      const version = process.versions.node;
      if (Number.parseInt(version, 10) < neededNode) {
        throw new Error(
          `this is Node ${version}; use "npm run svc", which runs Node ${neededNode}`,
        );
      }
      return Promise.resolve({ version, detail: process.execPath });
    }),
    examine('ONNX Runtime', async () => {
      const { env } = await import('onnxruntime-node');
      return { version: env.versions.node ?? null, detail: `${process.platform} ${process.arch}` };
    }),
    examine('FFmpeg libraries', async () => {
      const { getFFmpegInfo } = await import('node-av');
      const { version, libraries } = getFFmpegInfo();
      return { version, detail: `libavcodec ${libraries.avcodec}` };
    }),
  ]);
}

/** The isolation of processes of untrusted code. Incomplete isolation is not a fault. */
export function examineSandbox(modelsDirectory: string): Promise<Finding> {
  return examine('Sandbox', () => {
    const { isolation, programs } = findSandbox(inferenceCode(modelsDirectory));
    const { present, missing } = isolationOf(isolation, isRoot());
    const absent = missing.length === 0 ? '' : `; not: ${missing.join(', ')}`;
    return Promise.resolve({ version: programs.bwrap, detail: `${present.join(', ')}${absent}` });
  });
}

/** The settings that choose bundles, by the rules of the processes that read them. */
export function examineChoice(env: Environment): Promise<Finding> {
  return examine('Model settings', () => {
    const { SVC_ENGLISH_BUNDLE, SVC_ASSIGNMENTS } = readConfig(modelSettings, env);
    const chosen = [SVC_ENGLISH_BUNDLE, SVC_ASSIGNMENTS].filter((text) => text !== '');
    return Promise.resolve({ version: null, detail: chosen.join(', ') });
  });
}

/**
 * Hashes every model file; bundles that no setting names may be absent, and the folder of all of
 * them where only an API runs, which loads none.
 */
export async function examineModels(
  directory: string,
  inUse: Omit<VerifyOptions, 'hash'>,
): Promise<readonly Finding[]> {
  if (!existsSync(directory)) {
    const detail = `not checked from here: there is no folder ${directory}`;
    return [{ part: 'Models', healthy: true, version: null, latencyMs: null, detail }];
  }
  const store = openModelStore(directory);
  const bundles = await store.verify({ hash: true, ...inUse });
  const used = bundles.filter(({ needed, problem }) => needed || problem === null);
  return used.map(({ name, revision, problem }) => {
    const files = store.manifests.find((manifest) => manifest.name === name)?.files ?? [];
    const hashes = files.map((file) => `${file.name} sha256 ${file.sha256.slice(0, 12)}`);
    return {
      part: `Model ${name}`,
      healthy: problem === null,
      version: revision,
      latencyMs: null,
      detail: problem === null ? hashes.join(', ') : `${problem}; "npm run svc -- models pull"`,
    };
  });
}
