// The commands of `svc` by name. Only the module of the one that is called is loaded: all of them
// with their packages take twice as long as most commands themselves.
import type { Command } from 'commander';

export interface CommandModule {
  readonly names: readonly string[];
  readonly load: () => Promise<(program: Command) => void>;
}

/** In the order of the help. */
export const commandModules: readonly CommandModule[] = [
  { names: ['analyze'], load: async () => (await import('./analyze.ts')).addAnalyzeCommand },
  { names: ['bulk'], load: async () => (await import('./bulk.ts')).addBulkCommand },
  { names: ['export'], load: async () => (await import('./export.ts')).addExportCommand },
  { names: ['redact'], load: async () => (await import('./redact.ts')).addRedactCommand },
  { names: ['mcp'], load: async () => (await import('./mcp.ts')).addMcpCommand },
  { names: ['admin'], load: async () => (await import('./admin/admin.ts')).addAdminCommand },
  { names: ['where'], load: async () => (await import('./where.ts')).addWhereCommand },
  { names: ['backlog'], load: async () => (await import('./backlog.ts')).addBacklogCommand },
  { names: ['capacity'], load: async () => (await import('./capacity.ts')).addCapacityCommand },
  {
    names: ['backup', 'restore'],
    load: async () => (await import('./backup.ts')).addBackupCommands,
  },
  { names: ['setup', 'migrate'], load: async () => (await import('./setup.ts')).addSetupCommands },
  {
    names: ['api', 'worker', 'stream-worker'],
    load: async () => (await import('./roles.ts')).addRoleCommands,
  },
  { names: ['settings'], load: async () => (await import('./settings.ts')).addSettingsCommand },
  { names: ['doctor'], load: async () => (await import('./doctor.ts')).addDoctorCommand },
  { names: ['models'], load: async () => (await import('./models.ts')).addModelsCommand },
];

/** Adds the commands of the module that has `called`; of all modules for any other word. */
export async function addCommands(program: Command, called: string | undefined): Promise<void> {
  const named = commandModules.filter(
    ({ names }) => called !== undefined && names.includes(called),
  );
  for (const { load } of named.length > 0 ? named : commandModules) (await load())(program);
}
