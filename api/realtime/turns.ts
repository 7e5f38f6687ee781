// The turns of one Realtime session that are recorded or transcribed, by their items.
import { ServiceError } from '../../models/contract/errors.ts';
import { createConversation } from '../../models/redaction/conversation.ts';
import type { OpenedStream } from '../streams/authenticate.ts';
import type { Charging } from '../streams/charging.ts';
import { createPendingWork } from '../streams/pending-work.ts';
import { faultOf, type StreamFault } from '../streams/protocols/protocol.ts';
import type { RealtimeConfig } from './config.ts';
import { toEventError } from './event-error.ts';
import type { RealtimeEvent } from './session-state.ts';
import { openTurn, type RealtimeServices, type RealtimeTurn } from './turn.ts';

export interface RealtimeTurns {
  /** @param startSeconds where it begins in the session */
  open(itemId: string, config: RealtimeConfig, startSeconds: number): void;
  record(itemId: string, pcm: Int16Array): void;
  /** Answered by a `completed` or a `turnFailed` event. */
  commit(itemId: string): void;
  drop(itemId: string): void;
  /** Ends all of them without results. */
  abandon(fault: StreamFault): void;
  /** Turns that are being transcribed. */
  committed(): number;
  /** Resolves when all work that was started has ended. */
  settled(): Promise<void>;
}

/** Turns of a session that are transcribed at once; more were committed faster than real time. */
const maxCommitted = 16;

export interface TurnsOptions {
  readonly charging: Charging;
  readonly report: (event: RealtimeEvent) => void;
}

export function createTurns(
  services: RealtimeServices,
  caller: OpenedStream,
  { charging, report }: TurnsOptions,
): RealtimeTurns {
  const turns = new Map<string, RealtimeTurn>();
  const conversation = createConversation();
  const { track, settled } = createPendingWork();
  let committed = 0;
  const end = (itemId: string, fault: StreamFault): void => {
    const turn = turns.get(itemId);
    turns.delete(itemId);
    if (turn) track(turn.drop(fault));
  };
  /** What is lost while it is transcribed fails once. */
  const fail = (itemId: string, turn: RealtimeTurn, error: unknown): void => {
    if (turns.get(itemId) !== turn) return;
    const failure = turn.toFailure(error);
    report({ kind: 'turnFailed', itemId, error: toEventError(failure) });
    end(itemId, faultOf(failure));
  };
  const transcribe = async (
    itemId: string,
    turn: RealtimeTurn,
    onCharge: () => void,
  ): Promise<void> => {
    committed += 1;
    try {
      if (committed > maxCommitted) {
        const message = `At most ${maxCommitted} turns are transcribed at once.`;
        throw new ServiceError('rate_limited', message);
      }
      const result = await turn.commit(onCharge);
      turns.delete(itemId);
      report({ kind: 'completed', itemId, ...result });
    } catch (error) {
      fail(itemId, turn, error);
    } finally {
      committed -= 1;
    }
  };

  return {
    open(itemId, config, startSeconds) {
      // What is being charged is answered by its result.
      const onLost = (error: unknown): void =>
        charging.afterwards(() => {
          const turn = turns.get(itemId);
          if (turn) fail(itemId, turn, error);
        });
      const onDelta = (text: string): void => report({ kind: 'delta', itemId, text });
      const own = { caller, itemId, config, conversation: conversation.open(startSeconds) };
      turns.set(itemId, openTurn(services, { ...own, onDelta, onLost }));
    },
    record: (itemId, pcm) => turns.get(itemId)?.record(pcm),
    commit(itemId) {
      const turn = turns.get(itemId);
      if (!turn) return;
      const transcribed = transcribe(itemId, turn, () => charging.add(transcribed));
      track(transcribed);
    },
    drop: (itemId) => end(itemId, 'client'),
    abandon(fault) {
      for (const itemId of turns.keys()) end(itemId, fault);
    },
    committed: () => committed,
    settled,
  };
}
