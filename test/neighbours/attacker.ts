// The hostile organization runs in its own process, apart from the service and the measurement.
import { constants, setPriority } from 'node:os';
import type { Target } from './attack.ts';
import { catalog } from './catalog.ts';

// A real attacker has machines of its own, so this one takes what the service leaves.
setPriority(constants.priority.PRIORITY_LOW);
const [name, given = ''] = process.argv.slice(2);
const attack = catalog.find((each) => each.name === name);
if (!attack) throw new Error(`no attack is named ${name}`);
const target = JSON.parse(given) as Target;
const { signal } = new AbortController();
process.on('disconnect', () => process.exit(0));
const prepared = (await attack.prepare?.(target, signal)) ?? '';
process.send!('prepared');
await attack.run(target, signal, prepared);
