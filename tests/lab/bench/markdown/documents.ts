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

const htmlSection = (number: number): string => `${section(number)}<p align="center">
  <a href="https://example.com/${number}"><img src="https://example.com/${number}.png" alt="Build" width="300"></a>
</p>

<details><summary>More about number ${number}</summary>

Press <kbd>Ctrl</kbd> + <kbd>C</kbd>, and read on.

</details>

`;

/** Creates a document, mostly of sentences, of this size. With raw HTML, as READMEs have it. */
export const documentOf = (bytes: number, hasHtml = false): string => {
  const make = hasHtml ? htmlSection : section;
  const sections = Math.ceil(bytes / make(0).length);
  return Array.from({ length: sections }, (_, at) => make(at))
    .join('')
    .slice(0, bytes);
};
