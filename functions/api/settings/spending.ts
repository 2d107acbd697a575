import * as z from 'zod';
import { transact } from '../../../shared/db/transaction.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { changeMonth, getMonth } from '../../../shared/spending/month.ts';
import { readSpending } from '../../../shared/spending/spending.ts';

const dollars = (description: string) => z.number().nonnegative().meta({ description });

const example = {
  month: '2026-11',
  limit: 25,
  spent: 25.01,
  percent: 100,
  reachedAt: '2026-11-21T12:00:00.000Z',
  isLifted: false,
  isSlowed: true,
};

/** What this month has cost of the spending limit. */
const SpendingOfMonth = z
  .object({
    month: z.string().meta({ description: 'The month, in UTC.' }),
    limit: dollars('US dollars, with what was added to the limit of this month.'),
    spent: dollars(
      'US dollars by list prices of what requests did, a month without requests included.',
    ),
    percent: z.int().nonnegative().meta({ description: 'Of the limit, rounded down.' }),
    reachedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the limit was reached first.' }),
    isLifted: z
      .boolean()
      .meta({ description: 'Whether the limit is lifted until the end of the month.' }),
    isSlowed: z.boolean().meta({
      description:
        'Whether shared pages and what anyone may call are slowed down to one request a second.',
    }),
  })
  .meta({ id: 'Spending', examples: [example] });

const Output = Success(SpendingOfMonth.nullable()).meta({
  id: 'SpendingOfMonth',
  examples: [success(example)],
});

const LiftInput = z
  .strictObject({
    dollars: z
      .number('must be a number')
      .positive('must be above 0')
      .max(1_000_000, 'must be at most 1000000')
      .optional()
      .meta({
        description: 'US dollars to add to the limit of this month. The default is to lift it.',
      }),
  })
  .meta({ id: 'LiftInput', examples: [{ dollars: 10 }] });

/** The spending limit (decisions.md#spending-limit). */
export const spendingRoutes = [
  route({
    endpoint: 'GET /api/settings/spending',
    access: 'settings:view',
    summary: 'Get the spending',
    description:
      'Returns what this month has cost of the setting `spendingLimit`, some requests late; `null` without one. Storage and what a CDN answers are not counted.',
    output: Output,
    handle: async () => success((await readSpending()) ?? null),
  }),
  route({
    endpoint: 'POST /api/settings/spending/lift',
    access: 'settings:update',
    summary: 'Lift the spending limit',
    description:
      'Lifts the spending limit until the end of the month (UTC), or adds an amount to it. What was slowed down is back within a minute.',
    body: LiftInput,
    output: Output,
    auditAction: 'spending.lift',
    handle: async ({ body, recorder }) => {
      const month = getMonth();
      const change =
        body.dollars === undefined
          ? ({ isLifted: true } as const)
          : ({ raisedBy: body.dollars } as const);
      const subject = { subject: `spending:${month}`, subjectName: month };
      await transact([
        { write: { Update: changeMonth(month, change) } },
        ...recorder.steps(subject),
      ]);
      return success((await readSpending()) ?? null, 'Lifted');
    },
  }),
];
