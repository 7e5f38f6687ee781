// The affect heads: what training measured on held-out speakers, and speech that no training saw.
import { readFile } from 'node:fs/promises';
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import { modelRow } from '../../models/contract/served-models.ts';
import { selectLabels } from '../../models/affect/select.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import type { ModelStore } from '../../models/bundles/store.ts';
import { readPcm, telephonePrompts } from './speech-data.ts';

const figuresPath = new URL('../../models/weights/affect-figures.json', import.meta.url);
const models = ['svc-resonance', 'svc-fourier'] as const;
const maxSamples = 30 * 16_000;

interface Figures {
  readonly 'wide band': number;
  readonly telephone: number;
  readonly 'noise 10 dB': number;
  readonly 'wide band, top of fifteen': number;
}

/** Lines: recall by condition from the training run, then labels given to telephone prompts. */
export async function evaluateAffect(
  pool: InferencePool,
  store: ModelStore,
): Promise<readonly string[]> {
  const figures = JSON.parse(await readFile(figuresPath, 'utf8')) as Record<string, Figures>;
  const lines = [
    '| head | UAR of six, leave one speaker out: wide band | telephone | noise 10 dB | top of 15 |',
    '|---|---|---|---|---|',
    ...Object.entries(figures).map(([name, f]) => {
      const conditions = ['wide band', 'telephone', 'noise 10 dB', 'wide band, top of fifteen'];
      const shares = conditions.map((key) => f[key as keyof Figures].toFixed(3));
      return `| ${name} | ${shares.join(' | ')} |`;
    }),
    '',
  ];
  const prompts = await telephonePrompts();
  for (const model of models) lines.push(await promptLabels(pool, store, model, prompts));
  return lines;
}

async function promptLabels(
  pool: InferencePool,
  store: ModelStore,
  model: (typeof models)[number],
  prompts: readonly { readonly path: string }[],
): Promise<string> {
  if (prompts.length === 0) return `${model}: prompts are not on this machine`;
  const { manifest } = store.bundle(modelRow(model).parts.head, 'affect-head');
  let neutral = 0;
  let clips = 0;
  const used = new Set<string>();
  for (const { path } of prompts) {
    const pcm = (await readPcm(path)).slice(0, maxSamples);
    const spans = [{ start: 0, end: pcm.length / 16_000 }];
    const request = { words: false, text: false, head: model, spans };
    const { scored } = await pool.analyze(pcm, request, { organizationId: 'eval', priority: 1 });
    const { emotions, styles } = selectLabels(scored[0]!.logits, manifest);
    for (const { label } of [...emotions, ...styles]) used.add(label);
    if (emotions[0]!.label === 'neutral') neutral += 1;
    clips += 1;
  }
  const share = `${((100 * neutral) / clips).toFixed(0)} %`;
  const total = emotionLabels.length + styleLabels.length;
  const labels = `${used.size} of ${total} labels seen`;
  return `${model}: ${share} of ${clips} prompts are neutral first; ${labels}`;
}
