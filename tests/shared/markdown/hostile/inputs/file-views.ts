import { filesToMarkdown } from '../../../../../shared/markdown/files/files-to-markdown.ts';
import { elements } from './elements.ts';
import { mutations } from './mutations.ts';

/** Hostile HTML as a cell and as a string, in a file that is a table or a tree. */
export const hostileFiles: readonly string[] = [...elements, ...mutations].flatMap((text) => [
  filesToMarkdown([{ name: 'a.csv', text: `a,b\n"${text.replaceAll('"', '""')}",1\n` }]),
  filesToMarkdown([
    { name: 'a.json', text: JSON.stringify({ [text]: text, long: text.repeat(9) }) },
  ]),
]);
