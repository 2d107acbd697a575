import type { Step, Story } from './step.ts';
import { type Username, working } from './team.ts';

interface Plan {
  readonly by: Username;
  readonly title: string;
  /** Days from today; negative ones are over. */
  readonly inDays: number;
  readonly hour: number;
  readonly hours: number;
  readonly with?: readonly Username[];
  readonly more?: Readonly<Record<string, unknown>>;
}

const plans: readonly Plan[] = [
  {
    by: 'nadia',
    title: 'Monday meeting',
    inDays: -28,
    hour: 9,
    hours: 1,
    with: working.filter((who) => who !== 'nadia'),
    more: { rrule: 'FREQ=WEEKLY;BYDAY=MO', location: 'Long table', color: 'teal' },
  },
  {
    by: 'mei',
    title: 'Manuscripts of the week',
    inDays: -21,
    hour: 13,
    hours: 1.5,
    with: ['tomas', 'nadia'],
    more: { rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE', color: '#4350c8' },
  },
  {
    by: 'jonas',
    title: 'Printer’s visit',
    inDays: -6,
    hour: 10,
    hours: 2,
    with: ['luca'],
    more: { location: 'Nordtryck' },
  },
  {
    by: 'luca',
    title: 'Cover review',
    inDays: 0,
    hour: 10,
    hours: 1,
    with: ['mei', 'nadia', 'aisha'],
    more: { color: 'purple' },
  },
  { by: 'nadia', title: 'Lunch with Ruth Alder', inDays: 0, hour: 12, hours: 1.5 },
  { by: 'aisha', title: 'Call with Quay Books', inDays: 0, hour: 15, hours: 0.5, with: ['jonas'] },
  {
    by: 'tomas',
    title: 'Budget meeting',
    inDays: 3,
    hour: 10,
    hours: 2,
    with: ['nadia'],
    more: { priority: 'high' },
  },
  {
    by: 'ivy',
    title: 'Launch of The Tidal Year',
    inDays: 9,
    hour: 19,
    hours: 3,
    with: working.filter((who) => who !== 'ivy'),
    more: {
      location: 'Harbour Street 12',
      priority: 'high',
      reminders: [1_440, 60],
      color: 'tomato',
    },
  },
  { by: 'camila', title: 'Call with Ilha', inDays: 5, hour: 14, hours: 1, with: ['tomas'] },
];

type Day = readonly [by: Username, title: string, inDays: number, days: number, type: string];

const days: readonly Day[] = [
  ['luca', 'Holiday', 14, 5, 'holiday'],
  ['jonas', 'Book fair', -10, 3, 'meeting'],
  ['nadia', 'Office closed', 33, 2, 'holiday'],
];

type Task = readonly [
  by: Username,
  title: string,
  inDays: number,
  priority: string,
  status: string,
];

const tasks: readonly Task[] = [
  ['nadia', 'Sign the contract for The Lamp Room', 1, 'high', 'pending'],
  ['nadia', 'Answer the prize committee', 4, 'medium', 'pending'],
  ['nadia', 'Pay the printer', -3, 'high', 'done'],
  ['mei', 'Send proofs of Peat', 2, 'high', 'pending'],
  ['mei', 'Write the jacket text', 6, 'medium', 'pending'],
  ['ivy', 'Rent microphones', 5, 'high', 'pending'],
  ['jonas', 'Order paper for Salt Roads', -1, 'high', 'pending'],
  ['aisha', 'Send new price list', -8, 'low', 'done'],
];

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const responses = ['accepted', 'accepted', 'accepted', 'tentative', 'declined'];
const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Creates a month of events with responses, whole days, and tasks. Each is created a week before it happens, or yesterday. */
export const calendarSteps = ({ client, idOf, at, random }: Story): Step[] => {
  const create = (by: Username, body: object) => client.send(by, 'POST /api/calendar/events', body);
  const createdAt = (inDays: number) => at(Math.max(1, Math.min(35, 7 - inDays)), 6.5);
  return [
    ...plans.map(({ by, title, inDays, hour, hours, with: guests = [], more }) => ({
      at: createdAt(inDays),
      run: async () => {
        const start = at(-inDays, hour);
        const { id } = await create(by, {
          title,
          start: new Date(start).toISOString(),
          end: new Date(start + hours * hourMs).toISOString(),
          timezone: 'Europe/London',
          attendees: guests.map(idOf),
          ...more,
        });
        for (const guest of guests) {
          if (random.chance(0.2)) continue;
          const status = random.pick(responses);
          await client.send(guest, `PUT /api/calendar/events/${id}/attendance`, { status });
        }
      },
    })),
    ...days.map(([by, title, inDays, length, type]) => ({
      at: createdAt(inDays),
      run: () => {
        const start = at(-inDays, 0);
        return create(by, {
          title,
          type,
          start: toDate(start),
          end: toDate(start + length * dayMs),
        });
      },
    })),
    ...tasks.map(([by, title, inDays, priority, status]) => ({
      at: createdAt(inDays),
      run: () => {
        const start = new Date(at(-inDays, 16)).toISOString();
        return create(by, { title, type: 'task', start, priority, status });
      },
    })),
  ];
};
