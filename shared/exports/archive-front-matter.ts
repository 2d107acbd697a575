/** What the front matter of a file in an archive says. */
export type FrontMatter = Readonly<Record<string, unknown>>;

const fence = '---\n';

/** Characters that YAML takes in quotes only as escapes. */
const escaped = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

const toValue = (value: unknown): string =>
  JSON.stringify(value).replace(
    escaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Puts YAML front matter before a text, a line for each field, whose values are JSON. The text follows as it is. */
export const addFrontMatter = (fields: FrontMatter, text: string): string => {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${toValue(value)}\n`);
  return `${fence}${lines.join('')}${fence}${text}`;
};

const parseValue = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Written by hand, without quotes.
    return text;
  }
};

/** Takes the front matter that `addFrontMatter` has put before a text; `undefined` if there is none. */
export const takeFrontMatter = (
  whole: string,
): { readonly fields: FrontMatter; readonly text: string } | undefined => {
  const end = whole.indexOf(`\n${fence}`);
  if (!whole.startsWith(fence) || end === -1) return undefined;
  const lines = whole.slice(fence.length, end).split('\n');
  const fields = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    return name === '' ? [] : [[name, parseValue(value)] as const];
  });
  return { fields: Object.fromEntries(fields), text: whole.slice(end + 1 + fence.length) };
};
