// What an attacker who has taken over a sandboxed process could run: any code that the test sends.
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';

interface Order {
  /** Body of an async function of `require`. */
  readonly code: string;
}

const require = createRequire(import.meta.url);

process.once('disconnect', () => process.exit(0));
process.on('message', ({ code }: Order) => {
  const body = `return (async () => { ${code} })()`;
  const run = compileFunction(body, ['require']) as (own: NodeJS.Require) => Promise<unknown>;
  run(require).then(
    (value) => process.send?.(`did it: ${JSON.stringify(value)}`),
    (error: unknown) => process.send?.(String(error)),
  );
});
process.send?.('ready');
