// Signed weights stay signed where the processor multiplies them exactly.
import { readFileSync } from 'node:fs';
import test from 'ava';
import { multipliesExactly } from '../../../models/onnx/exact-products.ts';
import { sessionOptions } from '../../../models/onnx/open-session.ts';

const exactInstructions = /^flags.*\b(avx512_vnni|avx_vnni|amx_int8)\b/m;

test('the probe finds what the processor says of itself', async (t) => {
  const facts = process.platform === 'linux' ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  if (!/\bavx2\b/.test(facts)) return t.log('no AVX2: not compared');
  t.is(await multipliesExactly(), exactInstructions.test(facts));
});

test('weights are made unsigned only where sums would saturate', (t) => {
  const precision = (weightsUnsigned: boolean): string =>
    sessionOptions({ externalData: [], weightsUnsigned }).extra.session.x64quantprecision;
  t.is(precision(false), '0');
  t.is(precision(true), '1');
});
