// Five hundred connections of a hostile organization that trickles headers, uploads, JSON and
// stream frames, next to a client whose waiting times are measured.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount } from '../support/database.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { postHead } from '../support/raw-http.ts';
import { testStack, untilReady, type ApiProcess, type TestStack } from '../support/stack.ts';
import { loadRecordings, type Recording } from './clients.ts';
import type { FaultOptions, FaultOutcome } from './fault.ts';
import { measure, measured, type MeasureOptions } from './timed-clients.ts';
import { countAnswers, createHistory } from './history.ts';
import { judge, untilQuiet } from './invariants.ts';
import { heldBy } from './orphans.ts';

const connectionsOfAKind = 125;
const trickleMs = 1_500;
/** A connection that is closed is opened again, at the pace of slowhttptest: 50 a second. */
const reconnectMs = 20;
const idleMs = 20_000;
const slowMs = 70_000;
/** No job of the inference processes takes longer on an idle core. */
const oneJobMs = 250;
const maxGrownMiB = 100;
const maxDescriptorsLeft = 20;
/** Those that take a few seconds to send come first. */
const shortRecordings = 3;
/** The hostile organization has an address of its own, as a real one would. */
const attackerAddress = '127.0.0.2';

/** Other work on the machine may spoil a round; a service that degrades spoils all of them. */
const maxRounds = 3;

export async function slowClients({ seed }: FaultOptions): Promise<FaultOutcome> {
  const cleanup = collectCleanup();
  try {
    const stack = await testStack(cleanup, { patient: false, worker: false, streams: true });
    await stack.startWorker();
    const api = await stack.startApi();
    await untilReady(api);
    const recordings = await loadRecordings();
    const recording = recordings[seed % shortRecordings]!;
    const allowanceSeconds = 36_000_000;
    const { organizationId, key: attackersKey } = await anAccount(stack.db, { allowanceSeconds });
    const history = createHistory();
    const sent = new Map<string, Recording>();
    const { key } = stack.account;
    const client = { base: api.base, key, recording, history, sent, pauseMs: 300 };
    await measure({ ...client, forMs: 4_000 });
    const rounds: Round[] = [];
    do rounds.push(await oneRound({ stack, api, client, attackersKey }));
    while (rounds.at(-1)!.slower !== null && rounds.length < maxRounds);
    const debits = await stack.db
      .selectFrom('ledger')
      .where('organizationId', '=', organizationId)
      .where('kind', '=', 'debit')
      .select('id')
      .execute();
    const { slower } = rounds.at(-1)!;
    const broken = [
      ...(slower === null ? [] : [slower]),
      ...rounds.flatMap((round) => round.broken),
      ...(debits.length > 0 ? ['the attacker was charged'] : []),
      ...(await judge(stack, { history, sent })),
    ];
    const figures = rounds.flatMap((round) => round.figures);
    return { figures: [countAnswers(history.operations), ...figures], broken };
  } finally {
    await cleanup.finish();
  }
}

interface RoundOptions {
  readonly stack: TestStack;
  readonly api: ApiProcess;
  readonly client: Omit<MeasureOptions, 'forMs'>;
  readonly attackersKey: string;
}

interface Round extends FaultOutcome {
  /**
   * That the good client waited too long next to the hostile one, in words; null when it did not.
   */
  readonly slower: string | null;
}

/** Alone, next to the hostile clients, and alone again. */
async function oneRound({ stack, api, client, attackersKey }: RoundOptions): Promise<Round> {
  const early = await measure({ ...client, forMs: idleMs });
  const before = heldBy(api.child);
  const attacker = startAttacker(api.base, attackersKey);
  const slow = await measure({ ...client, forMs: slowMs });
  const after = heldBy(api.child);
  const held = attacker.open();
  attacker.stop();
  await sleep(3_000);
  const quiet = await untilQuiet(stack, 30_000);
  const left = heldBy(api.child).descriptors - before.descriptors;
  const late = await measure({ ...client, forMs: idleMs });
  const idle = measured([...early.times, ...late.times], [...early.failed, ...late.failed]);
  const limitMs = Math.max(2 * idle.p95Ms, idle.p95Ms + oneJobMs);
  const slower = `p95 is ${slow.p95Ms.toFixed(0)} ms, the limit ${limitMs.toFixed(0)} ms`;
  const grownMiB = after.residentMiB - before.residentMiB;
  const broken = [
    ...[...idle.failed, ...slow.failed].map((answer) => `the good client was answered ${answer}`),
    ...(grownMiB > maxGrownMiB ? [`the API has grown by ${grownMiB.toFixed(0)} MiB`] : []),
    ...held.silent.map((name) => `a connection of slow ${name} is open after a minute`),
    ...(left > maxDescriptorsLeft ? [`${left} descriptors are left`] : []),
    ...(quiet ? [] : ['requests are open after it']),
  ];
  const figures = [
    `idle p50 ${idle.p50Ms.toFixed(0)}, p95 ${idle.p95Ms.toFixed(0)} ms (${idle.answered} calls)`,
    `beside ${4 * connectionsOfAKind} slow connections p50 ${slow.p50Ms.toFixed(0)}, ` +
      `p95 ${slow.p95Ms.toFixed(0)} ms (${slow.answered} calls)`,
    `${attacker.created()} connections opened, ${held.open} open at the end; the API grew by ` +
      `${grownMiB.toFixed(0)} MiB`,
    `the attacker was answered ${attacker.answers()}`,
  ];
  return { slower: slow.p95Ms > limitMs ? slower : null, figures, broken };
}

interface Attacker {
  created(): number;
  /** `silent`: the kinds of those that were opened more than a minute ago. */
  open(): { readonly open: number; readonly silent: readonly string[] };
  /** How often each kind received which answer: `upload 408 x 120, ...`. */
  answers(): string;
  stop(): void;
}

/** A connection that is closed is opened again. */
function startAttacker(base: string, key: string): Attacker {
  const { hostname, port } = new URL(base);
  const sockets = new Map<Socket, { readonly name: string; readonly openedAt: number }>();
  const answers = new Map<string, number>();
  const outside = Array.from({ length: connectionsOfAKind }, () => slowKinds(key)).flat();
  let created = 0;
  const open = (kind: SlowKind): void => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: attackerAddress });
    created += 1;
    sockets.set(socket, { name: kind.name, openedAt: performance.now() });
    const timer = setInterval(() => socket.write(kind.more), trickleMs);
    socket.on('error', () => {});
    socket.once('data', (data: Buffer) => {
      const status = /^HTTP\/1.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? 'something';
      const answer = `${kind.name} ${status}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    });
    socket.on('data', () => {});
    socket.once('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
      outside.push(kind);
    });
    socket.write(kind.head);
  };
  const coming = setInterval(() => {
    const kind = outside.shift();
    if (kind) open(kind);
  }, reconnectMs);
  return {
    created: () => created,
    open: () => ({
      open: sockets.size,
      silent: [...sockets.values()]
        .filter(({ openedAt }) => performance.now() - openedAt > 62_000)
        .map(({ name }) => name),
    }),
    answers: () => [...answers].map(([answer, count]) => `${answer} x ${count}`).join(', '),
    stop: () => {
      clearInterval(coming);
      for (const socket of sockets.keys()) socket.destroy();
    },
  };
}

interface SlowKind {
  readonly name: string;
  /** Sent at once. */
  readonly head: string | Buffer;
  /** Sent repeatedly after it. */
  readonly more: string;
}

function slowKinds(key: string): readonly SlowKind[] {
  const multipart = 'multipart/form-data; boundary=x';
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF';
  const json = [
    'POST /v1/audio/sessions HTTP/1.1',
    'Host: test',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Content-Length: 4000',
    '\r\n{"id":"',
  ].join('\r\n');
  const upgrade = [
    'GET /v1/audio/transcriptions/stream HTTP/1.1',
    'Host: test',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol: svceet.pcm.v1',
    `Authorization: Bearer ${key}`,
    '\r\n',
  ].join('\r\n');
  // A masked binary frame of 3,200 bytes, which arrives byte by byte.
  const frame = Buffer.from([0x82, 0x80 | 126, 3_200 >> 8, 3_200 & 255, 0, 0, 0, 0]);
  const uploadHeaders = { 'Content-Type': multipart, 'Content-Length': 900_000 };
  return [
    {
      ...{ name: 'headers', more: 'X-Slow: 1\r\n' },
      head: 'POST /v1/audio/transcriptions HTTP/1.1\r\nHost: test\r\n',
    },
    { name: 'upload', head: postHead(key, uploadHeaders) + part, more: 'a' },
    { name: 'JSON', head: json, more: 'a' },
    { name: 'frame', head: Buffer.concat([Buffer.from(upgrade), frame]), more: 'a' },
  ];
}
