import type { Step, Story } from './step.ts';
import type { Username } from './team.ts';

const cover = (sea: string, title: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 420"><rect width="300" height="420" fill="#10242f"/><circle cx="150" cy="150" r="70" fill="#f3c969"/><path d="M0 260q75-40 150 0t150 0v160H0z" fill="${sea}"/><text x="150" y="60" fill="#fff" font-family="Georgia" font-size="26" text-anchor="middle">${title}</text></svg>`;

type File = readonly [
  by: Username,
  daysAgo: number,
  folder: string | undefined,
  name: string,
  type: string,
  content: string,
];

const files: readonly File[] = [
  ['luca', 38, 'Covers', 'the-tidal-year.svg', 'image/svg+xml', cover('#2f7f86', 'The Tidal Year')],
  ['luca', 30, 'Covers', 'peat.svg', 'image/svg+xml', cover('#5b4636', 'Peat')],
  [
    'luca',
    29,
    'Covers',
    'peat-first-sketch-with-the-old-subtitle.svg',
    'image/svg+xml',
    cover('#8b7636', 'Peat'),
  ],
  ['luca', 17, 'Covers', 'salt-roads.svg', 'image/svg+xml', cover('#b9785a', 'Salt Roads')],
  ['luca', 5, 'Covers', 'nine-rivers.svg', 'image/svg+xml', cover('#3d6fa8', 'Nine Rivers')],
  [
    'jonas',
    28,
    'Quotes',
    'printers-2026.csv',
    'text/csv',
    'printer,copies,price\nNordtryck,2000,6180\nCaslon & Sons,2000,5940\nOfficina,2000,6310\n',
  ],
  [
    'jonas',
    15,
    undefined,
    'delivery-note.txt',
    'text/plain',
    'Two pallets, 1,040 copies, dock 3.\n',
  ],
  [
    'mei',
    22,
    'Manuscripts',
    'the-lamp-room.md',
    'text/markdown',
    '# The Lamp Room\n\nThe lamp had been on since Tuesday, and nobody would say why.\n',
  ],
  [
    'mei',
    21,
    'Manuscripts',
    'a-field-guide-to-silence.md',
    'text/markdown',
    '# A Field Guide to Silence\n\nThere are nine kinds. The first is snow.\n',
  ],
  [
    'aisha',
    11,
    undefined,
    'orders-october.csv',
    'text/csv',
    'shop,title,copies\nThe Reading Lamp,Peat,40\nQuay Books,The Tidal Year,120\n',
  ],
  [
    'nadia',
    8,
    'Launch',
    'running-order.txt',
    'text/plain',
    '19:00 Welcome\n19:10 Reading\n19:50 Soup\n20:30 Songs\n',
  ],
];

/** Names of files that their owner marked, and of those shared with a colleague. */
const favorites = new Set(['the-tidal-year.svg', 'orders-october.csv']);
const sharedWith: Readonly<Record<string, Username>> = {
  'nine-rivers.svg': 'mei',
  'printers-2026.csv': 'tomas',
  'running-order.txt': 'ivy',
};
const everyones = new Set(['salt-roads.svg']);
const trashed = new Set(['delivery-note.txt', 'peat-first-sketch-with-the-old-subtitle.svg']);

/** Creates the folders and files, shares some, and puts one into the trash. */
export const fileSteps = ({ client, idOf, at, random }: Story): Step[] => {
  const folders = new Set<string>();
  const createFolder = async (by: Username, name: string): Promise<void> => {
    if (folders.has(`${by}/${name}`)) return;
    folders.add(`${by}/${name}`);
    await client.send(by, 'POST /api/files/folders', { name });
  };
  return files.map(([by, daysAgo, folder, name, type, content]) => ({
    at: at(daysAgo, 8 + random.below(9)),
    run: async () => {
      const form = new FormData();
      if (folder !== undefined) {
        await createFolder(by, folder);
        form.set('folder', `/${folder}`);
      }
      form.set('file', new File([content], name, { type }));
      const { id } = await client.send(by, 'POST /api/files/upload', form);
      if (favorites.has(name)) await client.send(by, `PUT /api/files/${id}`, { isFavorite: true });
      if (everyones.has(name)) {
        await client.send(by, `PUT /api/files/${id}`, { visibility: 'everyone' });
      }
      const reader = sharedWith[name];
      if (reader !== undefined) {
        await client.send(by, `POST /api/files/${id}/share`, { userIds: [idOf(reader)] });
      }
      if (trashed.has(name)) await client.send(by, `DELETE /api/files/${id}`);
    },
  }));
};
