// Which bundles take over parts of models, and what the catalog says about it.
import test from 'ava';
import { toModelList } from '../../../api/catalog/response.ts';
import {
  checkAssignments,
  formatAssignments,
  parseAssignments,
} from '../../../models/bundles/assignments.ts';
import type { Manifest } from '../../../models/bundles/manifest.ts';
import { manifestOf, manifests } from '../../../models/bundles/manifests.ts';

const source = { kind: 'folder' as const, format: 'ggml', files: [], card: 'card.md' };
const { published: _, ...whisper } = manifestOf('whisper-base', 'whisper');
const english: Manifest = {
  ...{ ...whisper, name: 'whisper-medium-en', revision: 'r1', source, languageTokens: {} },
};
const small: Manifest = { ...whisper, name: 'whisper-small', revision: 'r2', source };
const installed = [...manifests, english, small];

const listOf = (text: string) =>
  toModelList({
    available: true,
    bundles: {
      ...{ english: 'moonshine-tiny-en', assignments: parseAssignments(text) },
      manifests: installed,
    },
  }).data;

test('models are listed with the bundles and languages in use', (t) => {
  const text =
    'svc-resonance.recognition=whisper-medium-en, svc-spectra-2.transcription=whisper-small';
  const assignments = parseAssignments(text);
  checkAssignments(assignments, installed);
  t.deepEqual(parseAssignments(formatAssignments(assignments)), assignments);
  const [resonance, fourier, , spectra] = listOf(text);
  t.like(resonance!.bundle, { name: 'whisper-medium-en', revision: 'r1' });
  t.is(fourier!.bundle!.name, 'moonshine-tiny-en', 'a model of its own');
  t.is(spectra!.bundle!.name, 'whisper-small');
  t.is(spectra!.languages.length, 25);
});

test('what cannot be assigned is rejected with what can', (t) => {
  const rejected: readonly (readonly [string, RegExp])[] = [
    ['svc-resonance=x', /"svc-resonance=x" is not of the form model\.part=bundle/],
    ['svc-nothing.recognition=x', /no model svc-nothing; there are svc-resonance/],
    ['svc-resonance.head=x', /svc-resonance has no part head.* it has recognition, otherLanguages/],
    ['svc-spectra-2.recognition=x', /it has transcription/],
    ['svczero.recognition=x', /it has none/],
    ['svc-resonance.recognition=x', /x is not installed; .*whisper-medium-en.* svc models pull/],
    [
      'svc-spectra-2.transcription=whisper-medium-en',
      /whisper-medium-en cannot be the transcription/,
    ],
    ['svc-resonance.otherLanguages=silero-vad', /silero-vad cannot be the otherLanguages/],
  ];
  for (const [text, message] of rejected) {
    t.throws(() => checkAssignments(parseAssignments(text), installed), { message }, text);
  }
});
