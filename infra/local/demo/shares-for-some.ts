import type * as z from 'zod';
import type { ShareInput } from '../../../functions/api/share/changing/input.ts';
import type { Step, Story } from './step.ts';
import type { Username } from './team.ts';

interface Share {
  readonly by: Username;
  readonly daysAgo: number;
  /** Who can open it, if it names people. */
  readonly readers?: readonly Username[];
  /** Who has opened it. */
  readonly openedBy: readonly Username[];
  readonly body: z.output<typeof ShareInput>;
}

const shares: readonly Share[] = [
  {
    by: 'nadia',
    daysAgo: 8,
    readers: ['luca', 'mei'],
    openedBy: ['mei'],
    body: {
      title: 'Offer for The Lamp Room',
      language: 'markdown',
      content: `# Offer for The Lamp Room

June Okoro’s agent expects an answer by **Friday**.

| | First offer | At most |
|---|---:|---:|
| Advance | €9,000 | €12,000 |
| Royalty, print | 8 % | 9 % |
| Royalty, e-book | 25 % | 25 % |

Please say whether the cover and the translation fit the schedule.
`,
    },
  },
  {
    by: 'mei',
    daysAgo: 5,
    openedBy: ['luca', 'ivy', 'jonas'],
    body: {
      title: 'House style, in one page',
      language: 'markdown',
      audience: 'members',
      content: `# House style, in one page

- *Titles* are in italics, chapters in “quotes”.
- Numbers up to twelve are words, unless there is a unit.
- An en dash for ranges: 1998–2004.
- Nobody writes “very”.
`,
    },
  },
  {
    by: 'luca',
    daysAgo: 1,
    openedBy: [],
    body: {
      title: 'Ideas for the autumn covers',
      language: 'markdown',
      audience: 'private',
      content: `# Ideas for the autumn covers

1. A single line that becomes a river, a road, a thread
2. Photographs of the same window, one for each book
3. No picture at all: only the first sentence

Ask Ivy about the paper before showing this to anyone.
`,
    },
  },
];

/** Creates shares for two people, for everyone here and for their owner alone, and those who open them. */
export const shareForSomeSteps = ({ client, at, idOf }: Story): Step[] =>
  shares.flatMap(({ by, daysAgo, readers, openedBy, body }) => {
    let id = '';
    return [
      {
        at: at(daysAgo, 9.5),
        run: async () => {
          const asked = readers ? { ...body, readers: readers.map(idOf) } : body;
          id = (await client.send<{ id: string }>(by, 'POST /api/share', asked)).id;
        },
      },
      ...openedBy.map((who, order) => ({
        at: at(daysAgo, 10.25 + order),
        run: () => client.send<unknown>(who, `GET /api/share?id=${id}`),
      })),
    ];
  });
