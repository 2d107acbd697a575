import { type Command, Option } from 'commander';
import { findUrl } from '../connection.ts';
import { report } from './report.ts';

interface McpOptions {
  readonly root?: readonly string[];
  readonly anywhere?: true;
  readonly check?: true;
}

const addRoot = (root: string, former: readonly string[] = []): readonly string[] => [
  ...former,
  root,
];

/** Adds `mcp` and `skill`. */
export const addAssistantCommands = (program: Command): void => {
  program
    .command('mcp')
    .description(
      'connect an assistant, which starts this itself: an MCP server on input and output',
    )
    .option(
      '--root <folder>',
      'a folder whose files it can share, instead of the working folder; can be repeated',
      addRoot,
    )
    .option('--anywhere', 'let it share files of all folders')
    .option('--check', 'say who is connected, and how many tools there are')
    .action(async ({ root, anywhere, check: isCheck }: McpOptions) => {
      const url = await findUrl();
      const { check, serve } = await import('../assistants/assistants.ts');
      const roots = { ...(root && { roots: root }), ...(anywhere && { isAnywhere: true }) };
      report(await (isCheck ? check(url) : serve(url, roots)));
    });

  program
    .command('skill')
    .description('teach an assistant when and how to use this service')
    .command('install')
    .description('write the skill of the service where an assistant reads it')
    .addOption(
      new Option('--for <assistant>', 'whose folder')
        .choices(['claude', 'codex', 'cursor', 'vscode'])
        .default('claude'),
    )
    .option('--project', 'into the working folder instead of your home folder')
    .option('--force', 'replace a file that is another one')
    .action(async (options) => {
      const { install } = await import('../assistants/assistants.ts');
      report(await install(await findUrl(), options));
    });
};
