// Which organizations have sent a body lately: while others have, what is heavy gives way.
import { createPresence } from '../../models/fairness/presence.ts';
import { othersStayMs } from '../../models/fairness/start-gate.ts';

/** Of this process. */
export const senders = createPresence(othersStayMs);
