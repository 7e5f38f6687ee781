// The catalog of hostile neighbours.
import type { Attack } from './attack.ts';
import { batchAttacks } from './attacks/batches.ts';
import { bodyAttacks } from './attacks/expensive-bodies.ts';
import { connectionAttacks } from './attacks/stalled-connections.ts';
import { readingAttacks } from './attacks/reads.ts';
import { realtimeAttacks } from './attacks/realtime-floods.ts';
import { recordingAttacks } from './attacks/recordings.ts';
import { socketAttacks } from './attacks/websocket-floods.ts';

export const catalog: readonly Attack[] = [
  ...connectionAttacks,
  ...bodyAttacks,
  ...socketAttacks,
  ...realtimeAttacks,
  ...recordingAttacks,
  ...batchAttacks,
  ...readingAttacks,
];
