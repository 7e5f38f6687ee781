// `npm run neighbours [-- NAME ...]`: each hostile neighbour beside a well-behaved organization,
// and the effect on the second one. A NAME that there is not is answered with those there are.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServices } from '../runner/services.ts';
import { stopChild } from '../support/stop-child.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { anAccount } from '../support/database.ts';
import { speech, toWav } from '../support/speech.ts';
import { testStack, untilReady } from '../support/stack.ts';
import type { Attack, Target } from './attack.ts';
import { callInTurn, clipForm, type Latencies, type Sent } from './callers.ts';
import { catalog } from './catalog.ts';
import { askLoopGaps, loopGapsEnvironment, type LoopGaps } from './loop-gaps.ts';

const attackerPath = fileURLToPath(new URL('./attacker.ts', import.meta.url));
const clipSamples = 32_000;
const warmUpCalls = 20;
const calls = 60;
/** An attack prepares its recordings and takes its slots before it is measured. */
const attackLeadMs = 15_000;
const recoveryMs = 5_000;
/** One inference job of another organization (docs/adr/0019). */
const jobMs = 250;
const muchSeconds = 100_000_000;

const named = process.argv.slice(2);
const attacks = named.length === 0 ? catalog : catalog.filter((a) => named.includes(a.name));
if (!named.every((name) => attacks.some((attack) => attack.name === name))) {
  for (const { name, does } of catalog) console.log(`${name.padEnd(18)} ${does}`);
  process.exit(2);
}

interface Row {
  readonly attack: Attack;
  readonly before: Latencies;
  readonly during: Latencies;
  readonly after: Latencies;
  readonly allowedMs: number;
  /** Of the API's event loop during the attack. */
  readonly gaps: LoopGaps;
}

const services = await startServices();
Object.assign(process.env, services.environment);
const sent = await clip();
let failed = 0;
try {
  console.log(
    '| neighbour | before p50 / p95 | during p50 / p95 | after p50 / p95 | allowed p95 ' +
      '| event loop p99.9 / worst |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const attack of attacks) {
    if (!print(await beside(attack))) failed += 1;
  }
} finally {
  await services.stop();
}
console.log(failed === 0 ? 'every attack stayed within its limits' : `${failed} attacks did not`);
process.exit(failed === 0 ? 0 : 1);

async function clip(): Promise<Sent> {
  const pcm = (await speech('Please hold the line for a moment.')).slice(0, clipSamples);
  return { form: clipForm(toWav(pcm)), pcm };
}

/** A service of its own for each attack: nothing of the one before is left. */
async function beside(attack: Attack): Promise<Row> {
  const cleanup = collectCleanup();
  try {
    const stack = await testStack(cleanup, {
      ...{ patient: false, streams: true, apiEnvironment: loopGapsEnvironment },
    });
    const { base, child: api } = await stack.startApi();
    await untilReady({ base });
    const hostile = await anAccount(stack.db, { allowanceSeconds: muchSeconds });
    const good: Target = { base, key: stack.account.key };
    const { victim = 'clip' } = attack;
    await callInTurn(good, sent, { calls: warmUpCalls, victim });
    const before = await callInTurn(good, sent, { calls, victim });
    const attacker = fork(attackerPath, [attack.name, JSON.stringify({ base, key: hostile.key })]);
    cleanup.teardown(() => stopChild(attacker));
    await Promise.race([once(attacker, 'message'), once(attacker, 'exit')]);
    await sleep(attackLeadMs);
    await askLoopGaps(api);
    const during = await callInTurn(good, sent, { calls, victim });
    const gaps = await askLoopGaps(api);
    if (attacker.exitCode !== null)
      throw new Error(`the attack ${attack.name} has ended by itself`);
    attacker.kill('SIGKILL');
    await once(attacker, 'exit');
    await sleep(recoveryMs);
    const after = await callInTurn(good, sent, { calls, victim });
    const allowedMs = Math.max(2 * before.p95Ms, before.p95Ms + jobMs);
    return { attack, before, during, after, allowedMs, gaps };
  } finally {
    await cleanup.finish();
  }
}

/** @returns false when the neighbour had an effect */
function print({ attack, before, during, after, allowedMs, gaps }: Row): boolean {
  const phases = [before, during, after];
  const cells = phases.map(({ p50Ms, p95Ms }) => `${p50Ms.toFixed(0)} / ${p95Ms.toFixed(0)} ms`);
  const failures = phases.flatMap((phase) => phase.failures);
  const holds = during.p95Ms <= allowedMs && failures.length === 0;
  const mark = holds ? '' : ` ✗ ${failures.length > 0 ? `answers ${failures.join(', ')}` : ''}`;
  const late = `${gaps.p999Ms.toFixed(0)} / ${gaps.worstMs.toFixed(0)} ms`;
  const row = [attack.name, ...cells, `${allowedMs.toFixed(0)} ms${mark}`, late];
  console.log(`| ${row.join(' | ')} |`);
  return holds;
}
