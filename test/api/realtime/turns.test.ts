// The turns of a Realtime session: each committed one is answered once.
import test from 'ava';
import { defaultConfig } from '../../../api/realtime/config.ts';
import type { RealtimeEvent } from '../../../api/realtime/session-state.ts';
import { createTurns } from '../../../api/realtime/turns.ts';
import type { OpenedStream } from '../../../api/streams/authenticate.ts';
import { createCharging } from '../../../api/streams/charging.ts';
import { setRedaction } from '../../../db/redaction-defaults.ts';
import { nameHashes } from '../../../models/redaction/name-hash.ts';
import { streamServices } from '../../support/a-stream.ts';
import { spoken } from '../../support/fake-pool.ts';
import { until } from '../../support/until.ts';

test.serial('a turn that is cancelled while it is charged is answered by its result', async (t) => {
  const { services, organizationId, keyId } = await streamServices(t);
  const { registry } = services;
  const find = () => registry.find({ organizationId, requestId: 'item_1', attempt: 1 });
  const events: RealtimeEvent['kind'][] = [];
  const charging = createCharging();
  const turns = createTurns(
    { ...services, acquireStart: async () => () => {} },
    { organizationId, keyId } as OpenedStream,
    {
      charging: {
        ...charging,
        // The operator cancels the workflow when the charge has just begun.
        add(answered) {
          charging.add(answered);
          find()!.cancel();
        },
      },
      report: ({ kind }) => void events.push(kind),
    },
  );
  turns.open('item_1', defaultConfig('whisper-1'), 0);
  turns.record('item_1', spoken(1, [{ value: 7, startSeconds: 0.1, endSeconds: 0.9 }]));
  turns.commit('item_1');
  await until(() => find() !== null);
  find()!.hold();
  await turns.settled();
  t.deepEqual(
    events.filter((kind) => kind !== 'delta'),
    ['completed'],
  );
});

test.serial(
  'a turn that is recognised before the one before it is redacted after it',
  async (t) => {
    const { services, organizationId, keyId } = await streamServices(t);
    const { db, pool, registry } = services;
    const redaction = { kinds: [], names: nameHashes('w7 w8') };
    await setRedaction(db, { organizationId, actor: 'test', redaction });
    const isSecondHeard = Promise.withResolvers<void>();
    const slow: typeof pool = {
      ...pool,
      async analyze(pcm, ...rest) {
        if (pcm.includes(8)) isSecondHeard.resolve();
        else await isSecondHeard.promise;
        return pool.analyze(pcm, ...rest);
      },
    };
    const told: unknown[] = [];
    const turns = createTurns(
      { ...services, pool: slow, acquireStart: async () => () => {} },
      { organizationId, keyId } as OpenedStream,
      {
        charging: createCharging(),
        report(event) {
          if (event.kind === 'completed') told.push([event.itemId, event.transcript]);
        },
      },
    );
    for (const [i, value] of [7, 8].entries()) {
      turns.open(`item_${i}`, defaultConfig('whisper-1'), i);
      turns.record(`item_${i}`, spoken(1, [{ value, startSeconds: 0.1, endSeconds: 0.9 }]));
      turns.commit(`item_${i}`);
      const find = () => registry.find({ organizationId, requestId: `item_${i}`, attempt: 1 });
      await until(() => find() !== null);
      find()!.hold();
    }
    await turns.settled();
    t.deepEqual(told, [
      ['item_0', 'w7'],
      ['item_1', '[NAME]'],
    ]);
  },
);
