import type { Command } from 'commander';
import { connectAsNobody, findUrl } from '../connection.ts';
import { interruption as signal } from '../interruption.ts';
import { print } from '../terminal/output.ts';
import { readContent } from './content.ts';

/** Adds `markdown`. */
export const addMarkdownCommand = (program: Command): void => {
  program
    .command('markdown')
    .argument('[file]', 'a file; - or none reads the input')
    .description('convert Markdown to an HTML document; no sign-in')
    .action(async (file = '-') => {
      const { content } = await readContent([file], { language: 'markdown' });
      const client = connectAsNobody(await findUrl());
      const { html } = await client.call('POST /api/markdown', {
        body: { markdown: content },
        isRepeatable: true,
        signal,
      });
      print(html.replace(/\n$/, ''));
    });
};
