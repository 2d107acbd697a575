import * as z from 'zod';
import { Success, success } from '../../../shared/http/envelope.ts';
import { priorities, statuses } from '../calendar/record/event.ts';
import { EventOccurrence, exampleOccurrence, occurrenceFields } from '../calendar/schemas.ts';

const count = (description: string) => z.int().meta({ description });
const money = (description: string) =>
  z.number().meta({ description: `${description}, in major units of the setting CURRENCY.` });
const growth = (what: string) =>
  z
    .number()
    .nullable()
    .meta({
      description: `Growth of ${what} from the month before last to last month (UTC) in percent. \`null\` if there were none before.`,
    });

const exampleStats = {
  totalUsers: 120,
  activeUsers: 112,
  totalRevenue: 18_250.5,
  totalOrders: 340,
  conversionRate: 2.41,
  recentOrders: 27,
  pendingTasks: 9,
  userGrowth: 8.3,
  revenueGrowth: 12.5,
  orderGrowth: -3.2,
  rateGrowth: 0.4,
  documents: 58,
  files: 203,
  shares: 77,
  messages: 912,
};

/** The figures of the whole service. */
export const Stats = Success(
  z.object({
    totalUsers: count('The number of accounts.'),
    activeUsers: count('The number of active accounts.'),
    totalRevenue: money('Revenue of all time'),
    totalOrders: count('The number of sales of all time.'),
    conversionRate: z.number().min(0).max(100).meta({
      description: 'Sales per visit of this month (UTC) in percent, at most 100. 0 without visits.',
    }),
    recentOrders: count('The number of sales of this month (UTC).'),
    pendingTasks: count('The number of open tasks in all calendars.'),
    userGrowth: growth('new accounts that still exist'),
    revenueGrowth: growth('revenue'),
    orderGrowth: growth('the number of sales'),
    rateGrowth: z.number().nullable().meta({
      description:
        'Change of the conversion rate from the month before last to last month (UTC) in percentage points. `null` without visits before.',
    }),
    documents: count('The number of documents, without those in the trash.'),
    files: count('The number of files and folders.'),
    shares: count('The number of shares.'),
    messages: count('The number of messages that someone still has.'),
  }),
).meta({ id: 'Stats', examples: [success(exampleStats)] });

/** Visits by day. */
export const Visits = Success(
  z.array(
    z.object({
      date: z.iso.date(),
      visits: count(
        'The number of visits of share pages. Consecutive half hours in which a visitor opened any count as one, so it is never more than `pageViews`.',
      ),
      uniqueVisitors: count('The exact number of visitors, each a network with a browser.'),
      pageViews: count('How often pages of shares showed their content.'),
    }),
  ),
).meta({
  id: 'Visits',
  examples: [success([{ date: '2026-11-21', visits: 41, uniqueVisitors: 29, pageViews: 87 }])],
});

/** Sales by month. */
export const SalesByMonth = Success(
  z.array(
    z.object({
      month: z.string().regex(/^\d{4}-\d\d$/),
      sales: money('Revenue'),
      profit: money('Revenue minus costs'),
      orders: count('The number of sales.'),
    }),
  ),
).meta({
  id: 'SalesByMonth',
  examples: [success([{ month: '2026-11', sales: 1_850.5, profit: 912.25, orders: 27 }])],
});

/** The parts of the pie chart. */
export const Pie = Success(z.array(z.object({ name: z.string(), value: z.number() }))).meta({
  id: 'Pie',
  examples: [
    success([
      { name: 'Books', value: 1_200.5 },
      { name: 'Uncategorized', value: 650 },
    ]),
  ],
});

/** The caller's open tasks. */
export const Tasks = Success(
  z.array(
    z.object({
      id: z.int().positive(),
      title: z.string(),
      description: z.string().nullable(),
      status: z.enum(statuses),
      priority: z.enum(priorities),
      dueDate: z
        .string()
        .meta({ description: 'When it is due: a time, or a date for an all-day task (ISO 8601).' }),
      ...occurrenceFields,
      createdAt: z.iso.datetime(),
    }),
  ),
).meta({
  id: 'Tasks',
  examples: [
    success([
      {
        id: 244_212_480_008_192,
        title: 'Write the minutes',
        description: null,
        status: 'pending' as const,
        priority: 'medium' as const,
        dueDate: '2026-11-23T16:00:00.000Z',
        ...{ seriesId: null, occurrenceStart: null },
        createdAt: '2026-11-21T12:00:00.000Z',
      },
    ]),
  ],
});

/** The caller's events of today. */
export const Today = Success(z.array(EventOccurrence)).meta({
  id: 'Today',
  examples: [success([exampleOccurrence])],
});
