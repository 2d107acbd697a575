import type { Command } from 'commander';
import { report } from './report.ts';

interface ExportOptions {
  readonly email?: string;
  readonly code?: string;
  readonly output?: string;
}

/** Adds `export` and `import`. */
export const addArchiveCommands = (program: Command): void => {
  program
    .command('export')
    .description('save all that is yours as a ZIP archive, which import reads')
    .option('-o, --output <path>', 'where to save it')
    .option('--email <email>', 'your email address; by default that of the last sign-in')
    .option('--code <code>', 'a code of your authenticator app, or a recovery code')
    .action(async (options: ExportOptions) => {
      const { runExport } = await import('../archives/archives.ts');
      report(await runExport(options));
    });

  program
    .command('import')
    .argument('<zip>', 'an archive that export has saved')
    .description('create what an archive has and you don’t: run it again to go on')
    .option('--json', 'print what was imported as JSON')
    .action(async (path: string, options: { json?: true }) => {
      const { runImport } = await import('../archives/archives.ts');
      report(await runImport(path, options));
    });
};
