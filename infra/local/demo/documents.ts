import type { Step, Story } from './step.ts';
import type { Username } from './team.ts';

type Document = readonly [
  by: Username,
  daysAgo: number,
  folder: string,
  title: string,
  tags: readonly string[],
  content: string,
];

const documents: readonly Document[] = [
  [
    'mei',
    39,
    'Editorial',
    'House style',
    ['style', 'reference'],
    '# House style\n\n- Spell numbers up to twelve.\n- Use single quotes, doubles within.\n- Titles of ships and books are *italic*.\n',
  ],
  [
    'mei',
    37,
    'Editorial',
    'Editorial calendar',
    ['plan'],
    '# Editorial calendar\n\n| Title | To copy-editor | Proofs | Print |\n|---|---|---|---|\n| Peat | 2 Dec | 9 Jan | 26 Jan |\n| Salt Roads | 15 Dec | 20 Jan | 9 Feb |\n',
  ],
  [
    'luca',
    34,
    'Design',
    'Type and colour',
    ['style', 'covers'],
    '# Type and colour\n\nBody **Lyon**, headings **Graphik**. Sea `#2f7f86`, sand `#f3c969`, ink `#10242f`.\n',
  ],
  [
    'tomas',
    33,
    'Contracts',
    'Standard author contract',
    ['contract', 'reference'],
    '# Standard author contract\n\n1. The author grants the right to publish in English for ten years.\n2. Royalties: 8 % of the net price, 10 % from the 5,001st copy.\n',
  ],
  [
    'aisha',
    27,
    'Sales',
    'Bookshops in the north',
    ['contacts'],
    '# Bookshops in the north\n\n- **The Reading Lamp**, Leeds: orders monthly\n- **Quay Books**, Hull: nature shelf in the window\n',
  ],
  [
    'jonas',
    25,
    'Production',
    'Paper and binding',
    ['print', 'costs'],
    '# Paper and binding\n\nMunken Print White 90 g, thread-sewn, headband in the colour of the cover.\n',
  ],
  [
    'camila',
    20,
    'Rights',
    'Rights sold this year',
    ['rights'],
    '# Rights sold this year\n\n| Title | Language | Publisher |\n|---|---|---|\n| Nine Rivers | Portuguese | Ilha |\n| Peat | German | Moorverlag |\n',
  ],
  [
    'nadia',
    14,
    'Company',
    'Goals for next year',
    ['plan'],
    '# Goals for next year\n\n1. Eight titles, none late.\n2. Half of all orders without a distributor.\n3. One prize list.\n',
  ],
  [
    'ivy',
    10,
    'Publicity',
    'Press list',
    ['contacts', 'publicity'],
    '# Press list\n\nSend proofs twelve weeks ahead. Radio wants audio samples.\n',
  ],
  [
    'ivy',
    7,
    'Publicity',
    'Launch checklist',
    ['publicity', 'plan'],
    '# Launch checklist\n\n- [x] Room booked\n- [x] Invitation page\n- [ ] Microphones\n- [ ] Soup for sixty\n',
  ],
  [
    'mei',
    4,
    'Editorial',
    'Reader’s report: The Lamp Room',
    ['report'],
    '# Reader’s report\n\nA quiet, funny book. The middle part needs 30 pages less. **Recommended.**\n',
  ],
  [
    'luca',
    1,
    'Design',
    'Ideas for a new logo',
    ['draft'],
    '# Ideas\n\nA heron, but fewer feathers.\n',
  ],
];

type Edit = readonly [by: Username, daysAgo: number, title: string, content: string];

/** What was changed later. */
const edits: readonly Edit[] = [
  [
    'mei',
    21,
    'Editorial calendar',
    '# Editorial calendar\n\n| Title | To copy-editor | Proofs | Print |\n|---|---|---|---|\n| Peat | 2 Dec | 9 Jan | 26 Jan |\n| Salt Roads | 15 Dec | 20 Jan | 9 Feb |\n| The Lamp Room | 12 Jan | 16 Feb | 9 Mar |\n',
  ],
  [
    'nadia',
    6,
    'Editorial calendar',
    '# Editorial calendar\n\n| Title | To copy-editor | Proofs | Print |\n|---|---|---|---|\n| Peat | 2 Dec | 9 Jan | 26 Jan |\n| Salt Roads | 15 Dec | 20 Jan | 16 Feb |\n| The Lamp Room | 12 Jan | 16 Feb | 9 Mar |\n',
  ],
];

/** Titles shared with everyone, and those shared with one colleague. */
const everyones = new Set(['House style', 'Type and colour', 'Goals for next year']);
const sharedWith: Readonly<Record<string, Username>> = {
  'Launch checklist': 'nadia',
  'Editorial calendar': 'luca',
  'Reader’s report: The Lamp Room': 'tomas',
};

const created = new Map<string, number>();

/** Creates the documents, shares and changes some, and puts one into the trash. */
export const documentSteps = ({ client, idOf, at, random }: Story): Step[] => [
  ...documents.map(([by, daysAgo, folder, title, tags, content]) => ({
    at: at(daysAgo, 8 + random.below(9)),
    run: async () => {
      const visibility = everyones.has(title) ? 'everyone' : 'private';
      const body = { title, content, folder, tags, visibility, type: 'markdown' };
      const { id } = await client.send(by, 'POST /api/documents', body);
      created.set(title, id);
      const reader = sharedWith[title];
      if (reader === undefined) return;
      await client.send(by, `POST /api/documents/${id}/share`, { userIds: [idOf(reader)] });
    },
  })),
  ...edits.map(([by, daysAgo, title, content]) => ({
    at: at(daysAgo, 10),
    run: () => client.send(by, `PUT /api/documents/${created.get(title)}`, { content }),
  })),
  {
    at: at(5, 16),
    run: async () => {
      const body = { title: 'Old price list', content: 'Replaced by the new one.', type: 'text' };
      const { id } = await client.send('nadia', 'POST /api/documents', body);
      await client.send('nadia', `DELETE /api/documents/${id}`);
    },
  },
];
