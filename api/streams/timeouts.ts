// How long a stream may be silent, open or closing, and how often its client is pinged.

/** contract.md: the limit without a message. */
export const idleMs = 30_000;
/** The limit of an open stream, whatever keeps it alive. */
export const lifetimeMs = 15 * 60_000;
/** A client that has not answered a ping by the next one is disconnected. */
export const pingMs = 20_000;
/** The time that a client has to send the headers of its upgrade. */
export const headersTimeoutMs = 10_000;
/** The end of a process's time to stop, in which clients get the reason and close. */
export const farewellMs = 2_000;
/** The time that a client has to answer the close. */
export const closeTimeoutMs = 5_000;
/**
 * A client that floods is no longer read; its connection ends once the error has had time to
 * arrive.
 */
export const floodTimeoutMs = 1_000;
/**
 * A stream that flooded keeps its slots for this time, so that reopening costs more than flooding.
 */
export const floodPenaltyMs = 60_000;
