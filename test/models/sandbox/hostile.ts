// What an attacker who has taken over a sandboxed process could run: any code that the test sends.
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { openParentChannel } from '../../../models/sandbox/channel.ts';

interface Order {
  /** Body of an async function of `require`. */
  readonly code: string;
}

const require = createRequire(import.meta.url);

function obey({ code }: Order): void {
  const body = `return (async () => { ${code} })()`;
  const run = compileFunction(body, ['require']) as (own: NodeJS.Require) => Promise<unknown>;
  run(require).then(
    (value) => parent.send({ outcome: `did it: ${JSON.stringify(value)}` }),
    (error: unknown) => parent.send({ outcome: String(error) }),
  );
}

const parent = openParentChannel((order) => obey(order as Order));
parent.send({ outcome: 'ready' });
