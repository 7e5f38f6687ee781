// The command line of an operator: `npm run svc -- <command>`.
import { Command } from 'commander';
import { addAdminCommand } from './commands/admin/admin.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addModelsCommand } from './commands/models.ts';

const program = new Command('svc')
  .description('Operates the speech-analysis service of this machine.')
  .showHelpAfterError();
addAdminCommand(program);
addDoctorCommand(program);
addModelsCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`svc: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
