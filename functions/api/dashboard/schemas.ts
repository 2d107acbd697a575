import * as z from 'zod';
import { Success, success } from '../../../shared/http/envelope.ts';
import { priorities, statuses } from '../calendar/record/event.ts';
import { EventOccurrence, exampleOccurrence, occurrenceFields } from '../calendar/schemas.ts';

const count = (description: string) => z.int().meta({ description });
const money = (description: string) =>
  z.number().meta({ description: `${description}, in major units of CURRENCY` });
const growth = (what: string) =>
  z
    .number()
    .nullable()
    .meta({
      description: `By how many percent ${what} of the last whole month (UTC) are more than those of the month before; null where there were none then`,
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

/** The numbers of the whole service. */
export const Stats = Success(
  z.object({
    totalUsers: count('All accounts'),
    activeUsers: count('Accounts of the status `active`'),
    totalRevenue: money('What was sold, of all time'),
    totalOrders: count('Sales, of all time'),
    conversionRate: z.number().min(0).max(100).meta({
      description:
        'The part of the visits of this month (UTC) that bought, in percent: each sale counts for one visit and no visit for two, so that sales without a visit raise it to 100 at most; 0 where there were no visits',
    }),
    recentOrders: count('Sales of this month (UTC)'),
    pendingTasks: count('Tasks of all calendars that are not done'),
    userGrowth: growth('new accounts that are still there,'),
    revenueGrowth: growth('sales in money'),
    orderGrowth: growth('sales in number'),
    rateGrowth: z.number().nullable().meta({
      description:
        'By how many percentage points the conversion rate of the last whole month (UTC) is above that of the month before; null where there were no visits then',
    }),
    documents: count('All documents but those in the trash'),
    files: count('All files and folders'),
    shares: count('All shares'),
    messages: count('All messages that somebody still has'),
  }),
).meta({ id: 'Stats', examples: [success(exampleStats)] });

/** Visits by the day. */
export const Visits = Success(
  z.array(
    z.object({
      date: z.iso.date(),
      visits: count('A visit is a row of half hours in each of which a visitor was active'),
      uniqueVisitors: count('Exactly how many visitors there were: a network with a browser'),
      pageViews: count('How often the page of a share showed its content'),
    }),
  ),
).meta({
  id: 'Visits',
  examples: [success([{ date: '2026-11-21', visits: 41, uniqueVisitors: 29, pageViews: 87 }])],
});

/** Sales by the month. */
export const SalesByMonth = Success(
  z.array(
    z.object({
      month: z.string().regex(/^\d{4}-\d\d$/),
      sales: money('What was sold'),
      profit: money('That less the costs'),
      orders: count('How many sales there were'),
    }),
  ),
).meta({
  id: 'SalesByMonth',
  examples: [success([{ month: '2026-11', sales: 1_850.5, profit: 912.25, orders: 27 }])],
});

/** Parts of a whole. */
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
      dueDate: z.string().meta({ description: 'A time or, of an all-day task, a date (ISO 8601)' }),
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

/** What takes place today, for the caller. */
export const Today = Success(z.array(EventOccurrence)).meta({
  id: 'Today',
  examples: [success([exampleOccurrence])],
});
