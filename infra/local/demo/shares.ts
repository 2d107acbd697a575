import type * as z from 'zod';
import type { ShareInput } from '../../../functions/api/share/changing/input.ts';
import type { Step, Story } from './step.ts';
import { type Username, working } from './team.ts';

interface Share {
  readonly by: Username;
  readonly daysAgo: number;
  /** Average page views a day. */
  readonly popularity: number;
  /** Number of reads by the team, of a share with a view limit. */
  readonly reads?: number;
  /** Later contents. */
  readonly edits?: readonly { readonly daysAgo: number; readonly content: string }[];
  readonly report?: { readonly daysAgo: number; readonly reason: string };
  readonly body: z.output<typeof ShareInput>;
}

const weekSeconds = 7 * 86_400;

const shares: readonly Share[] = [
  {
    by: 'mei',
    daysAgo: 40,
    popularity: 6,
    body: {
      title: 'Submission guidelines',
      language: 'markdown',
      description: 'What we read, when we read it, and how to send it.',
      readersCanEnd: true,
      embedOrigins: ['https://nine-rivers.example'],
      content: `# Submission guidelines

We read **nature writing**, **travel** and **illustrated essays** from January to March and from September to October.

## What to send

1. A letter of one page
2. An outline
3. The first 5,000 words, as \`.md\` or \`.docx\`

| Kind | Words | We answer within |
|---|---:|---|
| Essay | 3,000–8,000 | 4 weeks |
| Book | 40,000–90,000 | 10 weeks |
| Illustrated | any | 8 weeks |

## How we read

Two editors read each manuscript. If they disagree, a third decides[^1].

[^1]: It happens in about one of six cases.
`,
    },
  },
  {
    by: 'luca',
    daysAgo: 32,
    popularity: 4,
    body: {
      title: 'Spring catalogue',
      language: 'html',
      description: 'Six books, from March to May.',
      content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Spring catalogue</title><style>
body{margin:0;font:17px/1.6 Georgia,serif;background:#f6f1e7;color:#2b2a27}main{max-width:44rem;margin:auto;padding:3rem 1.5rem}
h1{font-size:2.6rem;letter-spacing:-.02em}ul{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:1rem;padding:0;list-style:none}
li{background:#fff;border-radius:10px;padding:1.2rem;box-shadow:0 1px 3px #0002}b{display:block;font-size:1.1rem}small{color:#7a6f5d}</style></head>
<body><main><h1>Spring at Heron Press</h1><ul><li><b>The Tidal Year</b>Ruth Alder<br><small>March · 312 pages</small></li>
<li><b>Peat</b>Callum Ross<br><small>March · 208 pages</small></li><li><b>A Field Guide to Silence</b>Ines Prado<br><small>April · 176 pages</small></li>
<li><b>Salt Roads</b>Omar Haddad<br><small>April · 288 pages</small></li><li><b>Nine Rivers</b>Mara Lind<br><small>May · 240 pages</small></li>
<li><b>The Lamp Room</b>June Okoro<br><small>May · 192 pages</small></li></ul></main></body></html>`,
    },
  },
  {
    by: 'jonas',
    daysAgo: 24,
    popularity: 3,
    body: {
      title: 'EPUB build notes',
      language: 'markdown',
      content: `# EPUB build notes

Run the checks before each upload:

\`\`\`sh
npm run epub -- --title "The Tidal Year"
epubcheck dist/the-tidal-year.epub
\`\`\`

## Checklist

- [x] Fonts are embedded, with licences
- [x] Every image has a description
- [ ] Page list matches the print edition

> The store rejects files over 650 MB.

\`\`\`ts
const spine = chapters.map((chapter, index) => ({
  id: \`chapter-\${index + 1}\`,
  href: chapter.file,
}));
\`\`\`
`,
    },
  },
  {
    by: 'aisha',
    daysAgo: 19,
    popularity: 2,
    report: {
      daysAgo: 2,
      reason: 'The prices on this page are for dealers. Please protect it.',
    },
    body: {
      title: 'Wholesale prices',
      language: 'markdown',
      password: 'hEr0n7',
      content: `# Wholesale prices

| Copies | Discount |
|---:|---:|
| 10 | 30 % |
| 50 | 38 % |
| 200 | 45 % |

Orders before Thursday noon leave the same week.
`,
    },
  },
  {
    by: 'nadia',
    daysAgo: 12,
    popularity: 5,
    report: { daysAgo: 1, reason: 'This shows the address of a private person.' },
    body: {
      title: 'Launch of The Tidal Year',
      language: 'html',
      expiresIn: 5 * weekSeconds,
      content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Launch</title><style>
html{height:100%}body{min-height:100%;margin:0;display:grid;place-items:center;font:18px/1.5 system-ui;color:#fff;background:linear-gradient(160deg,#123c55,#3f8f8c)}
article{text-align:center;padding:2rem}h1{font-size:3rem;margin:.2em}a{color:#ffe9a8}</style></head><body><article><p>You are invited</p>
<h1>The Tidal Year</h1><p>A reading by Ruth Alder, with soup and sea songs.<br>Thursday at seven, Harbour Street 12.</p></article></body></html>`,
    },
  },
  {
    by: 'camila',
    daysAgo: 9,
    popularity: 3,
    reads: 17,
    body: {
      title: 'Proof of Nine Rivers, chapter 1',
      language: 'markdown',
      viewLimit: 40,
      content: `# One: The Source

Nobody in the valley agreed on where the river began.

The shepherds said it was the spring under the split rock. The forester, who had a map, said it was the bog above it. My
grandmother said that it began wherever you first heard it, and that this was the only answer worth walking for.

*— Mara Lind, uncorrected proof*
`,
    },
  },
  {
    by: 'ivy',
    daysAgo: 6,
    popularity: 2,
    body: {
      title: 'How to cite our books',
      language: 'markdown',
      showsRevisions: true,
      content: `# How to cite our books

- **Author**, *Title* (Heron Press, year), page.
- For e-books, give the chapter instead of the page.

Alder, Ruth. *The Tidal Year*. Heron Press, 2026.
`,
    },
    edits: [
      {
        daysAgo: 4,
        content: `# How to cite our books

- **Author**, *Title* (Heron Press, year), page.
- For e-books, give the chapter instead of the page.
- For translations, name the translator after the title.

Alder, Ruth. *The Tidal Year*. Heron Press, 2026.
`,
      },
      {
        daysAgo: 2,
        content: `# How to cite our books

- **Author**, *Title* (Heron Press, year), page.
- For e-books, give the chapter or section instead of the page.
- For translations, name the translator after the title.

Alder, Ruth. *The Tidal Year*. Heron Press, 2026, p. 40.
`,
      },
    ],
  },
  {
    by: 'luca',
    daysAgo: 3,
    popularity: 1,
    reads: 2,
    body: {
      title: 'Cover draft, second round',
      language: 'html',
      viewLimit: 2,
      content:
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Cover</title><body style="margin:0;background:#10242f"><svg viewBox="0 0 300 420" width="100%" height="100%"><circle cx="150" cy="150" r="70" fill="#f3c969"/><path d="M0 260q75-40 150 0t150 0v160H0z" fill="#2f7f86"/><path d="M0 310q75-40 150 0t150 0v110H0z" fill="#1c5661"/><text x="150" y="60" fill="#fff" font-family="Georgia" font-size="26" text-anchor="middle">The Tidal Year</text></svg></body></html>',
    },
  },
];

const browsers = ['Firefox', 'Chrome', 'Safari', 'Edge'].flatMap((name) =>
  Array.from({ length: 30 }, (_, at) => `Mozilla/5.0 (demo ${at}) ${name}/140`),
);

/** Creates the shares and their readers, and two reports. */
export const shareSteps = ({ client, random, at }: Story): Step[] =>
  shares.flatMap(({ by, daysAgo, popularity, reads = 0, edits = [], report, body }) => {
    let id = '';
    const canBeVisited = body.password === undefined && body.viewLimit === undefined;
    const views = Array.from({ length: canBeVisited ? daysAgo : 0 }, (_, day) =>
      Array.from({ length: random.below(2 * popularity + 1) }, () => ({
        at: at(day, 8 + random.below(12)),
        run: () => client.visit(`/s/${id}`, random.pick(browsers)),
      })),
    ).flat();
    const limitedViews = Array.from({ length: reads }, () => ({
      at: at(random.below(daysAgo), 9 + random.below(8)),
      run: () => client.send<unknown>(random.pick(working), `GET /api/share?id=${id}`),
    }));
    return [
      {
        at: at(daysAgo, 9 + random.below(6)),
        run: async () => {
          id = (await client.send<{ id: string }>(by, 'POST /api/share', body)).id;
        },
      },
      ...edits.map(({ daysAgo: editedDaysAgo, content }) => ({
        at: at(editedDaysAgo, 10),
        run: () => client.send<unknown>(by, `PUT /api/share/${id}`, { content }),
      })),
      ...views,
      ...limitedViews,
      ...(report
        ? [
            {
              at: at(report.daysAgo, 11),
              run: () =>
                client.send('camila', `POST /api/share/${id}/report`, { reason: report.reason }),
            },
          ]
        : []),
    ];
  });
