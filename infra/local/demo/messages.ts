import type { Step, Story } from './step.ts';
import type { Username } from './team.ts';

interface Conversation {
  readonly subject: string;
  readonly daysAgo: number;
  readonly to: readonly Username[];
  /** Who wrote what, one after another; the others answer the first. */
  readonly talk: readonly (readonly [by: Username, content: string])[];
  /** How many of them the recipients have read. */
  readonly read: number;
}

const conversations: readonly Conversation[] = [
  {
    subject: 'Welcome to the new system',
    daysAgo: 36,
    to: ['tomas', 'mei', 'luca', 'aisha'],
    talk: [
      [
        'nadia',
        'Everything we used to mail around now lives here. Ask me if something is missing.',
      ],
      ['mei', 'The calendar alone is worth it. Thank you!'],
    ],
    read: 2,
  },
  {
    subject: 'Paper for Peat',
    daysAgo: 23,
    to: ['luca'],
    talk: [
      ['jonas', 'The 90 g is out of stock until January. 100 g instead, at the same price?'],
      ['luca', 'Fine with me. Please check the spine width.'],
      ['jonas', '17.5 mm instead of 16. I have told the printer.'],
    ],
    read: 3,
  },
  {
    subject: 'Rights: Nine Rivers to Brazil',
    daysAgo: 16,
    to: ['tomas', 'nadia'],
    talk: [
      ['camila', 'Ilha offers an advance of 3,000 and wants to publish in June.'],
      ['tomas', 'Good. Ask for five years instead of seven, then sign.'],
      ['camila', 'They agree to six.'],
    ],
    read: 3,
  },
  {
    subject: 'Launch: who reads the introduction?',
    daysAgo: 6,
    to: ['nadia', 'mei'],
    talk: [
      ['ivy', 'Ruth would like someone who knows the manuscript. Mei?'],
      ['mei', 'With pleasure. Five minutes?'],
      ['ivy', 'Five is perfect.'],
    ],
    read: 3,
  },
  {
    subject: 'Order from Quay Books',
    daysAgo: 3,
    to: ['jonas', 'nadia'],
    talk: [
      ['aisha', '120 copies of The Tidal Year for the launch week. Can they leave on Monday?'],
      ['jonas', 'Yes, on the morning van.'],
    ],
    read: 1,
  },
  {
    subject: 'Second round of covers',
    daysAgo: 1,
    to: ['nadia', 'mei', 'aisha'],
    talk: [['luca', 'Two drafts are in the files. I prefer the one with the lower horizon.']],
    read: 0,
  },
  {
    subject: 'Meeting moved',
    daysAgo: 0,
    to: ['nadia'],
    talk: [['tomas', 'The bank can only do Friday. I moved the budget meeting to 10:00.']],
    read: 0,
  },
];

const quarterHour = 0.25;

/** Creates the conversations. Recipients have read those that are older. */
export const messageSteps = ({ client, idOf, at, random }: Story): Step[] =>
  conversations.flatMap(({ subject, daysAgo, to, talk, read }) => {
    const hour = 7 + random.below(3);
    const ids: number[] = [];
    return talk.map(([by, content], index) => ({
      at: at(daysAgo, hour + index * quarterHour),
      run: async () => {
        const first = talk[0]?.[0] ?? by;
        const members = new Set<Username>([first, ...to]);
        members.delete(by);
        const reply = ids.length > 0 && { replyTo: ids.at(-1) };
        const body = { recipients: [...members].map(idOf), subject, content, ...reply };
        const { id } = await client.send(by, 'POST /api/messages', body);
        ids.push(id);
        if (index >= read) return;
        for (const member of members) {
          await client.send(member, `PUT /api/messages/${id}/read`, { read: true });
        }
      },
    }));
  });
