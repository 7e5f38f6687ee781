// Each command is found in the module that has its name, and called alone it loads no other.
import { Command } from 'commander';
import test from 'ava';
import { addCommands, commandModules } from '../../../bin/commands/load-commands.ts';

const namesOf = (program: Command) => program.commands.map((each) => each.name());

test('the modules add the commands that they are listed with', async (t) => {
  for (const { names, load } of commandModules) {
    const program = new Command('svc');
    (await load())(program);
    t.deepEqual(namesOf(program), [...names]);
  }
});

test('a command is loaded alone; help and unknown words know all', async (t) => {
  const of = async (called?: string) => {
    const program = new Command('svc');
    await addCommands(program, called);
    return namesOf(program);
  };
  const all = commandModules.flatMap(({ names }) => names);
  t.deepEqual(await of('restore'), ['backup', 'restore']);
  for (const called of [undefined, '--help', 'help', 'analyse', 'completion']) {
    t.deepEqual(await of(called), all, String(called));
  }
});
