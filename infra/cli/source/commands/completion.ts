import type { Command, Option } from 'commander';
import { print } from '../terminal/output.ts';

/** A command that a shell completes. */
interface Completed {
  /** `files put`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly Word[];
}

interface Word {
  readonly word: string;
  readonly text: string;
  /** What can follow an option. Options of one name have the same choices in all commands. */
  readonly choices?: readonly string[] | undefined;
}

const visibleOptions = (command: Command): readonly Option[] =>
  command.createHelp().visibleOptions(command);

/** Lists each command with its commands and options. */
const listCompleted = (command: Command, path = ''): Completed[] => {
  const commands = command.createHelp().visibleCommands(command);
  const named = commands.map((one) => ({ word: one.name(), text: one.description() }));
  const options = visibleOptions(command).map(({ long, description, argChoices }) => ({
    word: long ?? '',
    text: description,
    choices: argChoices,
  }));
  return [
    { path, words: [...named, ...options] },
    ...commands.flatMap((one) => listCompleted(one, `${path} ${one.name()}`.trim())),
  ];
};

/** Longer paths first, because a shorter one fits, too. */
const byDepth = (all: readonly Completed[]): Completed[] =>
  all.toSorted(
    (a, b) => b.path.split(' ').length - a.path.split(' ').length || b.path.length - a.path.length,
  );

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Lists the options that have choices, each once. */
const listChoices = (
  all: readonly Completed[],
): readonly (readonly [string, readonly string[]])[] => [
  ...new Map(
    all
      .flatMap(({ words }) => words)
      .flatMap(({ word, choices }) => (choices ? [[word, choices] as const] : [])),
  ),
];

const toBash = (all: readonly Completed[]): string => `_handbill() {
  local words
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${byDepth(all)
  .map(({ path, words }) => {
    const pattern = path === '' ? '*' : `${path.replaceAll(' ', '\\ ')}\\ *`;
    return `    ${pattern}) words=${quote(words.map(({ word }) => word).join(' '))} ;;`;
  })
  .join('\n')}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${listChoices(all)
  .map(([word, choices]) => `    ${word}) words=${quote(choices.join(' '))} ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _handbill handbill`;

const toZsh = (all: readonly Completed[]): string => `#compdef handbill
_handbill() {
  local -a candidates
  case "\${words[2,CURRENT-1]} " in
${byDepth(all)
  .map(({ path, words }) => {
    const pattern = path === '' ? '*' : `${path.replaceAll(' ', '\\ ')}\\ *`;
    const listed = words.map(({ word, text }) => quote(`${word}:${text}`)).join(' ');
    return `    ${pattern}) candidates=(${listed}) ;;`;
  })
  .join('\n')}
  esac
  case "\${words[CURRENT-1]}" in
${listChoices(all)
  .map(([word, choices]) => `    ${word}) candidates=(${choices.map(quote).join(' ')}) ;;`)
  .join('\n')}
  esac
  _describe 'handbill' candidates
  _files
}
compdef _handbill handbill`;

const toFish = (all: readonly Completed[]): string =>
  all
    .flatMap(({ path, words }) => {
      const names = words.filter(({ word }) => !word.startsWith('-')).map(({ word }) => word);
      const seen = path.split(' ').filter(Boolean);
      const conditions = [
        ...seen.map((name) => `__fish_seen_subcommand_from ${name}`),
        ...(names.length > 0 ? [`not __fish_seen_subcommand_from ${names.join(' ')}`] : []),
      ];
      const when = conditions.length > 0 ? ` -n ${quote(conditions.join('; and '))}` : '';
      return words.map(({ word, text, choices }) => {
        const values = choices ? ` -x -a ${quote(choices.join(' '))}` : '';
        const candidate = word.startsWith('--') ? `-l ${word.slice(2)}${values}` : `-a ${word}`;
        return `complete -c handbill${when} ${candidate} -d ${quote(text)}`;
      });
    })
    .join('\n');

const scripts = { bash: toBash, zsh: toZsh, fish: toFish } as const;

/** Adds `completion`. */
export const addCompletionCommand = (program: Command): void => {
  program
    .command('completion')
    .addArgument(program.createArgument('<shell>', 'your shell').choices(Object.keys(scripts)))
    .description('print a script that completes commands, such as for ~/.bashrc')
    .action((shell: keyof typeof scripts) => print(scripts[shell](listCompleted(program))));
};
