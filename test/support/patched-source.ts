// A preload of child processes in tests: source text is replaced as it is loaded, so that a rule
// can be broken, or a process killed between two steps, without a switch in the service.
import { registerHooks } from 'node:module';
import { applyPatches, type Patch } from './patches.ts';

const patches = JSON.parse(process.env.TEST_PATCHES ?? '[]') as readonly Patch[];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const mine = patches.filter(({ file }) => url.endsWith(`/${file}`));
    if (mine.length === 0) return loaded;
    const source = Buffer.from(loaded.source as string | Uint8Array).toString();
    return { ...loaded, source: applyPatches(source, mine) };
  },
});
