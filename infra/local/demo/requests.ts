import type * as z from 'zod';
import type { RequestInput } from '../../../functions/api/share/intake/input.ts';
import type { Step, Story } from './step.ts';
import type { Username } from './team.ts';

interface ShareRequest {
  readonly by: Username;
  readonly daysAgo: number;
  readonly body: z.input<typeof RequestInput>;
  /** What people without an account hand in. */
  readonly submissions?: readonly {
    readonly daysAgo: number;
    readonly name: string;
    readonly format: 'text' | 'markdown';
    readonly text: string;
  }[];
  readonly report?: { readonly daysAgo: number; readonly reason: string };
}

const requests: readonly ShareRequest[] = [
  {
    by: 'luca',
    daysAgo: 13,
    body: { title: 'A quote for the jacket of The Lamp Room', expiresIn: 864_000 },
    submissions: [
      {
        daysAgo: 11,
        name: 'R. Castellanos',
        format: 'markdown',
        text: '> A novel that leaves the light on.\n\nPlease name me as the author of *Salt Roads*.\n',
      },
    ],
  },
  {
    by: 'luca',
    daysAgo: 3,
    body: {
      title: 'What you know about the old bindery',
      note: 'Names, years and anecdotes for the book about our street.\nA few lines are plenty.',
      submissions: 5,
    },
    submissions: [
      {
        daysAgo: 2,
        name: 'Edith Walsh',
        format: 'markdown',
        text: '# My grandfather’s bench\n\nIt stood by the *second* window until **1962**. The press is in our barn.\n',
      },
      {
        daysAgo: 1,
        name: 'H. Brandt',
        format: 'text',
        text: 'The bindery closed in May 1971. I have the last pay slip and can bring it along.\n',
      },
    ],
  },
  {
    by: 'jonas',
    daysAgo: 2,
    body: {
      title: 'Access to the newsletter tool',
      note: 'Please send your user name and your password.',
      submissions: 20,
    },
    report: { daysAgo: 1, reason: 'This asks for passwords.' },
  },
];

/** Asks people without an account for content, who hand some in, and reports one request. */
export const requestSteps = ({ client, at }: Story): Step[] =>
  requests.flatMap(({ by, daysAgo, body, submissions = [], report }) => {
    let path = '';
    return [
      {
        at: at(daysAgo, 8.75),
        run: async () => {
          const { id } = await client.send<{ id: string }>(by, 'POST /api/share/requests', body);
          path = `/r/${id}`;
        },
      },
      ...submissions.map((one) => ({
        at: at(one.daysAgo, 13.5),
        run: () => {
          const form = new FormData();
          form.set('claim', `demo-${one.daysAgo}`);
          for (const field of ['name', 'format', 'text'] as const) form.set(field, one[field]);
          return client.submit(path, form);
        },
      })),
      ...(report
        ? [
            {
              at: at(report.daysAgo, 15),
              run: () =>
                client.submit(`${path}/report`, new URLSearchParams({ reason: report.reason })),
            },
          ]
        : []),
    ];
  });
