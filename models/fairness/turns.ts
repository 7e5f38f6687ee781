// Jobs that take turns on one core: the urgent first, who is new before who has had more, what is
// short at one stretch, and nobody else for longer than a turn while another waits. Cooperative: a
// job asks between its steps.

export interface TurnClaim {
  readonly organizationId: string;
  /** Lower goes first, always. */
  readonly priority: number;
  /** What the whole job is expected to take. */
  readonly costMs: number;
}

export interface Turns {
  /**
   * A job that will take turns from now on.
   * @param onTurn told each time that the job goes on after another
   */
  open(claim: TurnClaim, onTurn?: () => void): Turn;
}

export interface Turn {
  /** Asked before each step; resolves when it is this job's turn, at once if nobody goes before. */
  take(): Promise<void>;
  /** Time of its own, without that of others. */
  usedMs(): number;
  /** The longest that another has waited while this job had its turn; 0 when nobody did. */
  longestHeldMs(): number;
  end(): void;
}

export interface TurnsOptions {
  /** A turn ends with the step in which it gets this long. */
  readonly turnMs: number;
  /** So long is the turn of a job that is expected to take no longer: mostly its only one. */
  readonly shortJobMs: number;
  /** A clock that never goes back, in milliseconds. */
  readonly now: () => number;
}

interface Contender extends TurnClaim {
  readonly onTurn: (() => void) | undefined;
  /** What its organization has had while others were about; a newcomer starts where they are. */
  had: number;
  usedMs: number;
  longestHeldMs: number;
  /** It has had a turn. */
  begun: boolean;
  /** Ends its wait. */
  resume: (() => void) | null;
}

const untaken = { usedMs: 0, longestHeldMs: 0, begun: false, resume: null } as const;

export function createTurns({ turnMs, shortJobMs, now }: TurnsOptions): Turns {
  const open = new Set<Contender>();
  const hadBy = new Map<string, number>();
  let holder: Contender | null = null;
  let grantedAt = 0;
  let countedAt = 0;
  /** Since when somebody waits for the holder; null when nobody does. */
  let contendedAt: number | null = null;

  const waiting = (): readonly Contender[] => [...open].filter(({ resume }) => resume !== null);

  const count = (): void => {
    const at = now();
    if (holder) {
      charge(holder, at - countedAt, contendedAt === null ? 0 : at - contendedAt);
      hadBy.set(holder.organizationId, holder.had);
    }
    countedAt = at;
  };

  const grant = (next: Contender | null): void => {
    holder = next;
    if (!next) return;
    const { resume } = next;
    next.resume = null;
    next.begun = true;
    grantedAt = now();
    countedAt = grantedAt;
    contendedAt = waiting().length > 0 ? grantedAt : null;
    next.onTurn?.();
    resume?.();
  };

  const isOver = ({ costMs }: Contender): boolean =>
    now() - grantedAt >= (costMs <= shortJobMs ? shortJobMs : turnMs);

  const take = async (contender: Contender): Promise<void> => {
    count();
    if (holder === contender) {
      const next = chooseNext(contender, waiting(), isOver(contender));
      if (next === contender) return;
      const resumed = waitFor(contender);
      grant(next);
      return resumed;
    }
    const resumed = waitFor(contender);
    if (holder === null) grant(contender);
    else contendedAt ??= now();
    return resumed;
  };

  const end = (contender: Contender): void => {
    count();
    open.delete(contender);
    if (open.size === 0) hadBy.clear();
    if (holder === contender) grant(chooseNext(null, waiting(), true));
  };

  return {
    open: (claim, onTurn) => {
      count();
      const had = startOf(open, hadBy.get(claim.organizationId) ?? 0);
      const contender: Contender = { ...claim, ...untaken, onTurn, had };
      open.add(contender);
      return {
        take: () => take(contender),
        usedMs: () => {
          count();
          return contender.usedMs;
        },
        longestHeldMs: () => contender.longestHeldMs,
        end: () => end(contender),
      };
    },
  };
}

function charge(holder: Contender, ms: number, heldMs: number): void {
  holder.usedMs += ms;
  holder.had += ms;
  holder.longestHeldMs = Math.max(holder.longestHeldMs, heldMs);
}

/** Absence earns nothing: who comes starts where the others are. */
function startOf(open: ReadonlySet<Contender>, had: number): number {
  const least = Math.min(...[...open].map((other) => other.had));
  return open.size > 0 ? Math.max(had, least) : had;
}

function waitFor(contender: Contender): Promise<void> {
  return new Promise((resolve) => {
    contender.resume = resolve;
  });
}

/** @param over the holder has had a whole turn */
function chooseNext<H extends Contender | null>(
  holder: H,
  waiting: readonly Contender[],
  over: boolean,
): Contender | H {
  const urgent = Math.min(...waiting.map(({ priority }) => priority));
  const [best] = waiting
    .filter(({ priority }) => priority === urgent)
    .toSorted((a, b) => a.had - b.had || Number(a.begun) - Number(b.begun));
  if (!best) return holder;
  if (!holder || best.priority < holder.priority) return best;
  if (best.priority > holder.priority) return holder;
  // What is new and short is done in one turn: nobody has to wait for its sake for longer.
  const newcomer = !best.begun && best.had <= holder.had;
  return over || newcomer ? best : holder;
}
