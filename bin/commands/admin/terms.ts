// The terms of a plan as options of `svc admin`: what is not named stays as it is.
import type { Command } from 'commander';
import type { Terms } from '../../../db/organizations.ts';
import { plans, type Plan } from '../../../models/contract/plans.ts';
import { parseWhole } from '../arguments.ts';

/** Their seconds are a 32-bit integer of the database. */
const maxMinutes = Math.floor((2 ** 31 - 1) / 60);

export interface TermOptions {
  readonly plan?: string;
  readonly minutes?: number;
  readonly overage?: string;
}

/** Without `--plan`, which a new organization requires. */
export function withTermOptions(command: Command): Command {
  return command
    .option('--minutes <n>', 'plan minutes per period', parseWhole('--minutes', 0, maxMinutes))
    .option('--overage <minutes>', 'minutes beyond the allowance: a number or "unlimited"');
}

export const planHelp = 'trial, subscription (minutes a month) or credits (prepaid)';

/**
 * Numbers that are not named stay while the plan does; another plan begins without any.
 * @param current null for a new organization
 */
export function termsOf(options: TermOptions, current: Terms | null): Terms {
  const { minutes, overage } = options;
  if (options.plan === undefined && minutes === undefined && overage === undefined)
    throw new Error('give --plan, --minutes or --overage');
  const plan = options.plan === undefined && current ? current.plan : planOf(options.plan);
  const before = plan === current?.plan ? current : { allowanceSeconds: 0, overageSeconds: 0 };
  const allowanceSeconds = minutes === undefined ? before.allowanceSeconds : minutes * 60;
  const overageSeconds = overage === undefined ? before.overageSeconds : parseOverage(overage);
  if (plan === 'trial' && allowanceSeconds === 0)
    throw new Error('a trial needs --minutes of at least 1');
  return { plan, allowanceSeconds, overageSeconds };
}

function planOf(name: string | undefined): Plan {
  const known = plans.find((plan) => plan === name);
  if (!known) throw new Error(`--plan must be one of ${plans.join(', ')}, got "${name ?? ''}"`);
  return known;
}

function parseOverage(text: string): number | null {
  return text === 'unlimited' ? null : parseWhole('--overage', 0, maxMinutes)(text) * 60;
}
