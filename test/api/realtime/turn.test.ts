// A turn of a Realtime session: what holds for it is what holds when it begins.
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { defaultConfig } from '../../../api/realtime/config.ts';
import type { StreamRegistry } from '../../../api/streams/registry.ts';
import { openTurn, type RealtimeTurn } from '../../../api/realtime/turn.ts';
import { revokeKey } from '../../../db/api-keys.ts';
import { setRedaction } from '../../../db/redaction-defaults.ts';
import { setVocabulary } from '../../../db/vocabulary-defaults.ts';
import { createConversation } from '../../../models/redaction/conversation.ts';
import { nameHashes } from '../../../models/redaction/name-hash.ts';
import { streamServices } from '../../support/a-stream.ts';
import { spoken } from '../../support/fake-pool.ts';
import { until } from '../../support/until.ts';

type AccountOptions = Parameters<typeof streamServices>[1];

/** A session of a key whose turns are recorded and committed one by one. */
async function aSession(t: ExecutionContext, options: AccountOptions = {}) {
  const { services, organizationId, keyId, asked } = await streamServices(t, options);
  const speech = spoken(1, [{ value: 7, startSeconds: 0.1, endSeconds: 0.9 }]);
  const { registry } = services;
  const held: StreamRegistry = {
    ...registry,
    add(stream) {
      registry.add(stream);
      stream.hold();
    },
  };
  const conversation = createConversation();
  let turns = 0;
  const begin = (): RealtimeTurn => {
    const itemId = `item_${(turns += 1)}`;
    const turn = openTurn(
      { ...services, registry: held, acquireStart: async () => () => {} },
      {
        ...{ caller: { organizationId, keyId }, itemId, config: defaultConfig('whisper-1') },
        ...{ conversation: conversation.open(turns), onDelta: () => {}, onLost: () => {} },
      },
    );
    turn.record(speech);
    return turn;
  };
  const end = async (turn: RealtimeTurn): Promise<string> =>
    (await turn.commit(() => {})).transcript;
  const say = (): Promise<string> => end(begin());
  return { begin, end, say, asked, organizationId, keyId, db: services.db };
}

test.serial(
  'redaction and vocabulary of the organization hold from the next turn on',
  async (t) => {
    const { say, asked, organizationId, db } = await aSession(t);
    t.is(await say(), 'w7');
    const change = { organizationId, actor: 'test' };
    await setRedaction(db, { ...change, redaction: { kinds: ['email'], names: nameHashes('w7') } });
    await setVocabulary(db, { ...change, terms: ['Siobhan'] });
    t.is(await say(), '[NAME]');
    const vocabularies = asked.map(({ vocabulary }) => vocabulary);
    t.deepEqual([vocabularies[0], vocabularies.at(-1)], [undefined, ['Siobhan']]);
  },
);

test.serial(
  'each turn counts against the limit of its key, whatever opened the session',
  async (t) => {
    const { say } = await aSession(t, { limits: { requestsPerMinute: 1, maxConcurrent: 4 } });
    await say();
    await t.throwsAsync(say(), { message: /1 requests a minute/ });
  },
);

test.serial('a key that was revoked begins no turn', async (t) => {
  const { say, keyId, db } = await aSession(t);
  await say();
  await revokeKey(db, keyId, 'test');
  await t.throwsAsync(say(), { message: /not valid/ });
});

test.serial('a key that has expired begins no turn, and ends the one that it began', async (t) => {
  const { begin, end, say, asked, db } = await aSession(t);
  const turn = begin();
  // It is analysed, and so it was admitted.
  await until(() => asked.length > 0);
  await db
    .updateTable('apiKeys')
    .set({ expiresAt: sql<Date>`now()` })
    .execute();
  t.is(await end(turn), 'w7');
  await t.throwsAsync(say(), { message: /not valid/ });
});
