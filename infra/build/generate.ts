import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCommand, run } from '../commands/command.ts';
import { formatDataModel } from './data-model.ts';
import { costSections } from './readme-costs.ts';
import { formatRoutesTable } from './readme-routes.ts';
import { withSection } from './readme-section.ts';

const root = join(import.meta.dirname, '../..');

const writeSection = async (readme: string, name: string, content: string): Promise<void> => {
  const file = join(root, readme);
  await writeFile(file, withSection(await readFile(file, 'utf8'), name, content));
};

const usage = `Usage: npm run generate
Renews the tables of routes in functions/README.md and of the data model in shared/README.md, and what READMEs say of costs.`;

/** Runs `npm run generate`. */
const generate = async (args: readonly string[]): Promise<void> => {
  parseCommand(usage, { args, options: {} });
  await writeSection('functions/README.md', 'routes', formatRoutesTable());
  await writeSection('shared/README.md', 'data model', await formatDataModel());
  for (const [readme, name, format] of costSections) await writeSection(readme, name, format());
};

await run(generate);
