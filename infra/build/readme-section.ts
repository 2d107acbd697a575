/**
 * Returns a README with a new section, which is between two comments.
 * @throws Error when the comments are missing
 */
export const withSection = (readme: string, name: string, content: string): string => {
  const start = `<!-- ${name}: made by \`npm run generate\` -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = readme.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`the README has no place for its ${name}`);
  return `${before}${start}\n${content}\n${end}${after}`;
};
