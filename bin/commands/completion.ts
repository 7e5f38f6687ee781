// `svc completion SHELL`: the shell's completion of commands and options, made from the commands
// themselves.
import { Argument, type Command } from 'commander';

/** A command, with its parents, and what may follow it. */
export interface Completable {
  /** `admin key create`; `` for `svc` itself. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly hint: string }[];
}

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(scripts)))
    .description('print the completion script of a shell')
    .addHelpText('after', help)
    .action((shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](completablesOf(program)));
    });
}

const help = `
  bash: source <(svc completion bash)
  zsh:  source <(svc completion zsh)
  fish: svc completion fish | source`;

export function completablesOf(command: Command, path = ''): readonly Completable[] {
  const commands = command.commands.map((each) => {
    return { word: each.name(), hint: each.description() };
  });
  const options = command.options.flatMap(({ long, description }) =>
    long ? [{ word: long, hint: description }] : [],
  );
  const below = command.commands.flatMap((each) =>
    completablesOf(each, `${path} ${each.name()}`.trim()),
  );
  const words = [...commands, ...options, { word: '--help', hint: 'show the help' }];
  return [{ path, words }, ...below];
}

const scripts = { bash, zsh, fish };

/** Words that name a command, up to the first option, choose what is offered. */
function bash(all: readonly Completable[]): string {
  const cases = all.map(({ path, words }) => {
    return `    '${path}') words='${words.map(({ word }) => word).join(' ')}' ;;`;
  });
  return `# bash completion of svc
_svc() {
  local path='' words='' i word known
  known='${all.map(({ path }) => `|${path}|`).join('')}'
  for ((i = 1; i < COMP_CWORD; i += 1)); do
    word="\${path:+$path }\${COMP_WORDS[i]}"
    [[ $known == *"|$word|"* ]] && path=$word || break
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _svc svc
`;
}

/** zsh runs the completions of bash. */
function zsh(all: readonly Completable[]): string {
  return `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bash(all)}`;
}

function fish(all: readonly Completable[]): string {
  const lines = all.flatMap(({ path, words }) => {
    const parts = path === '' ? [] : path.split(' ');
    const seen = parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ');
    const condition = path === '' ? '__fish_use_subcommand' : seen;
    return words.map(({ word, hint }) => {
      const kind = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c svc -n '${condition}' ${kind} -d '${quoted(hint)}'`;
    });
  });
  return `# fish completion of svc\n${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', ' ');
}
