import * as z from 'zod';
import { listDailyVisits } from '../../../shared/activity/days.ts';
import { success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { getTimeZone } from '../calendar/record/event.ts';
import { findOpenTasks } from '../calendar/record/open-tasks.ts';
import { toOccurrence } from '../calendar/schemas.ts';
import { getMonthlySales } from '../sales/statistics.ts';
import { divisions, readPie } from './pie.ts';
import { Pie, SalesByMonth, Stats, Tasks, Today, Visits } from './schemas.ts';
import { readStats } from './stats.ts';

// Loaded on demand, because only these need recurrence rules.
const loadTasks = () => import('../calendar/events/tasks.ts');
const loadWindow = () => import('../calendar/events/window.ts');

/**
 * Creates a response that browsers cache for 30 seconds, separately for each account. Only for figures of the whole
 * service: users expect their own changes to show immediately.
 */
const cacheBriefly = <Body>(body: Body): Reply<Body> =>
  new Reply(body, {
    headers: { 'cache-control': 'private, max-age=30', vary: 'authorization, cookie' },
  });

const maxDays = 90;
const maxMonths = 24;

const integer = (max: number, defaultValue: number) => {
  const rule = `must be an integer from 1 to ${max}`;
  return z.coerce.number(rule).int(rule).min(1, rule).max(max, rule).default(defaultValue);
};

export const routes = [
  route({
    endpoint: 'GET /api/dashboard/stats',
    access: 'dashboard:view',
    summary: 'Get statistics',
    description: 'Returns figures of the whole service.',
    output: Stats,
    handle: async () => cacheBriefly(success(await readStats())),
  }),
  route({
    endpoint: 'GET /api/dashboard/visits',
    access: 'dashboard:view',
    summary: 'Get visits by day',
    description: 'Returns one entry per day (UTC), oldest first. The last one is today.',
    query: z.object({ days: integer(maxDays, 7) }),
    output: Visits,
    handle: async ({ query: { days } }) => cacheBriefly(success(await listDailyVisits(days))),
  }),
  route({
    endpoint: 'GET /api/dashboard/sales',
    access: 'dashboard:view',
    summary: 'Get sales by month',
    description:
      'Returns one entry per month (UTC), oldest first. The last one is the current month.',
    query: z.object({ months: integer(maxMonths, 6) }),
    output: SalesByMonth,
    handle: async ({ query: { months } }) => cacheBriefly(success(await getMonthlySales(months))),
  }),
  route({
    endpoint: 'GET /api/dashboard/pie',
    access: 'dashboard:view',
    summary: 'Get the pie chart',
    description:
      'Returns the parts of a whole: revenue by category, or what users created by kind.',
    query: z.object({
      by: z.enum(divisions, `must be one of ${divisions.join(', ')}`).default('category'),
    }),
    output: Pie,
    handle: async ({ query: { by } }) => cacheBriefly(success(await readPie(by))),
  }),
  route({
    endpoint: 'GET /api/dashboard/tasks',
    access: 'signed-in',
    scope: 'calendar:view',
    summary: 'List your open tasks',
    description: 'Returns up to 100 tasks that aren’t done, the next due first.',
    output: Tasks,
    readAhead: findOpenTasks,
    handle: async ({ actor, ahead }) => {
      const { listOpenTasks } = await loadTasks();
      const tasks = await listOpenTasks(actor.user.id, ahead);
      return success(
        tasks.map(({ event, dueDate, recurrenceId, override }) => ({
          id: event.id,
          title: override?.title ?? event.title,
          description: event.description ?? null,
          status: override?.status ?? event.status,
          priority: event.priority,
          dueDate,
          seriesId: recurrenceId === undefined ? null : event.id,
          occurrenceStart: recurrenceId ?? null,
          createdAt: event.createdAt,
        })),
      );
    },
  }),
  route({
    endpoint: 'GET /api/dashboard/calendar',
    access: 'signed-in',
    scope: 'calendar:view',
    summary: 'List your events of today',
    description: 'Returns up to 500 occurrences of today in your time zone.',
    output: Today,
    handle: async ({ actor }) => {
      const { listEventsOfDay } = await loadWindow();
      const occurrences = await listEventsOfDay(actor.user.id, getTimeZone(actor));
      return success(occurrences.map(toOccurrence));
    },
  }),
];
