const section = (number: number): string => `## Section ${number}: what it is about

This is a paragraph of *ordinary* text, as people write it in a note or a manual. It has some **strong**
words, a bit of \`code\`, and [a link](https://example.com/pages/${number} "with a title") to somewhere else.
It goes on for some lines, because most of what people write is neither lists nor tables but sentences,
one after the other, until all is said that had to be said about number ${number}.

A second paragraph follows, without any markup at all. It is here to make the share of plain text as large
as it is in most documents; anyone who writes a table in every section writes something else than a document.

- the first point of a list
- the second, which has ~~two~~ three parts
- [x] and a task that is done

| name | value |
| ---- | ----: |
| a    | ${number} |

\`\`\`js
const answer = await fetch('https://example.com/${number}');
if (!answer.ok) throw new Error(\`Status \${answer.status}\`);
\`\`\`

`;

/** Creates a document, mostly of sentences, of this size. */
export const documentOf = (bytes: number): string => {
  const sections = Math.ceil(bytes / section(0).length);
  return Array.from({ length: sections }, (_, at) => section(at))
    .join('')
    .slice(0, bytes);
};
