import * as z from 'zod';
import { listDailyVisits } from '../../../shared/activity/days.ts';
import { success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { getTimeZone } from '../calendar/record/event.ts';
import { toOccurrence } from '../calendar/schemas.ts';
import { getMonthlySales } from '../sales/statistics.ts';
import { divisions, readPie } from './pie.ts';
import { Pie, SalesByMonth, Stats, Tasks, Today, Visits } from './schemas.ts';
import { readStats } from './stats.ts';

// Loaded when they are asked for: the statistics do without rules of recurrence.
const loadTasks = () => import('../calendar/events/tasks.ts');
const loadWindow = () => import('../calendar/events/window.ts');

/**
 * Lets a browser keep numbers of the whole service for half a minute, apart from those of anyone who signs in next. A
 * user's own tasks and events are never kept: they change by that user's own doing.
 */
const fresh = <Body>(body: Body): Reply<Body> =>
  new Reply(body, {
    headers: { 'cache-control': 'private, max-age=30', vary: 'authorization, cookie' },
  });

const maxDays = 90;
const maxMonths = 24;

const wholeNumber = (name: string, max: number, byDefault: number) => {
  const rule = `must be a whole number of ${name} from 1 to ${max}`;
  return z.coerce.number(rule).int(rule).min(1, rule).max(max, rule).default(byDefault);
};

export const routes = [
  route({
    endpoint: 'GET /api/dashboard/stats',
    access: 'dashboard:view',
    summary: 'Get statistics',
    description: 'Returns figures of the whole service.',
    output: Stats,
    handle: async () => fresh(success(await readStats())),
  }),
  route({
    endpoint: 'GET /api/dashboard/visits',
    access: 'dashboard:view',
    summary: 'Get visits by day',
    description: 'Returns one entry per day (UTC), oldest first. The last one is today.',
    query: z.object({ days: wholeNumber('days', maxDays, 7) }),
    output: Visits,
    handle: async ({ query: { days } }) => fresh(success(await listDailyVisits(days))),
  }),
  route({
    endpoint: 'GET /api/dashboard/sales',
    access: 'dashboard:view',
    summary: 'Get sales by month',
    description:
      'Returns one entry per month (UTC), oldest first. The last one is the current month.',
    query: z.object({ months: wholeNumber('months', maxMonths, 6) }),
    output: SalesByMonth,
    handle: async ({ query: { months } }) => fresh(success(await getMonthlySales(months))),
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
    handle: async ({ query: { by } }) => fresh(success(await readPie(by))),
  }),
  route({
    endpoint: 'GET /api/dashboard/tasks',
    access: 'signed-in',
    summary: 'List your open tasks',
    description: 'Returns up to 100 tasks that aren’t done, the next due first.',
    output: Tasks,
    handle: async ({ actor }) => {
      const { openTasks } = await loadTasks();
      const tasks = await openTasks(actor.user.id);
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
