import { Command, CommanderError } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { addArchiveCommands } from './commands/archives.ts';
import { addAssistantCommands } from './commands/assistants.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addEditCommand } from './commands/edit.ts';
import { addFilesCommands } from './commands/files.ts';
import { addAccountCommands } from './commands/login.ts';
import { addMarkdownCommand } from './commands/markdown.ts';
import { addRequestCommand } from './commands/request.ts';
import { addShareCommand } from './commands/share.ts';
import { addSharesCommands } from './commands/shares.ts';
import { getUsedUrl } from './connection.ts';
import { exitCodes, explain } from './error-mapping.ts';
import { watchInterruption } from './interruption.ts';
import { note } from './terminal/output.ts';

const createProgram = (): Command => {
  const program = new Command('handbill')
    .description('Share texts and files from the shell.')
    .version(packageFile.version)
    .helpOption('-h, --help', 'show this help')
    .showSuggestionAfterError()
    .configureOutput({
      outputError: (text) =>
        note(
          text
            .trimEnd()
            .replace(/^error: /, '')
            .replace(/\n\(/, ' ('),
        ),
    })
    .exitOverride();
  addAccountCommands(program);
  addShareCommand(program);
  addRequestCommand(program);
  addSharesCommands(program);
  addEditCommand(program);
  addFilesCommands(program);
  addMarkdownCommand(program);
  addArchiveCommands(program);
  addAssistantCommands(program);
  addCompletionCommand(program);
  program.addHelpText(
    'after',
    `
Exit codes: 0 done, ${exitCodes.refused} refused, ${exitCodes.usage} wrong usage, ${exitCodes.unreachable} unreachable, ${exitCodes.interrupted} interrupted.
HANDBILL_URL and HANDBILL_TOKEN replace what handbill login has kept.`,
  );
  return program;
};

const run = async (): Promise<void> => {
  watchInterruption();
  // Programs such as head close the pipe once they have enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  try {
    await createProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has told it.
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
      return;
    }
    const { message, exitCode } = explain(error, getUsedUrl());
    note(message);
    process.exitCode = exitCode;
  }
};

void run();
