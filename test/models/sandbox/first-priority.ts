// Reports the niceness that the process was started with.
import { getPriority } from 'node:os';

process.once('disconnect', () => process.exit(0));
process.send?.(getPriority());
