// Reports the niceness that the process was started with.
import { getPriority } from 'node:os';
import { openParentChannel } from '../../../models/sandbox/channel.ts';

openParentChannel(() => {}).send({ niceness: getPriority() });
