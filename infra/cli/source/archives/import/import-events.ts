import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import type { Data } from '../../../../../functions/web/browser/client/endpoints.ts';
import { CliError } from '../../error-mapping.ts';
import { type Archive, readText } from '../zip/archive-file.ts';
import { createPresent, type Present } from './present.ts';
import { type ArchivedRecord, parseJson, toRecords, toText, toTexts } from './records.ts';
import type { Result, Tally } from './tally.ts';

type CalendarEvent = Data<'GET /api/calendar/events/{id}'>;

/** The most bytes of `calendar.json`. */
const maxListBytes = 256 * 1024 * 1024;

/** The fields that an event is created with. */
const names = [
  ...['title', 'start', 'end', 'allDay', 'timezone', 'rrule', 'exdates', 'description'],
  ...['type', 'color', 'location', 'priority', 'status', 'reminders'],
] as const;

const countFields = (event: ArchivedRecord): number =>
  names.filter((name) => event[name] !== undefined).length;

/** Reads `calendar.json`: the user's events, and the number of those of others. @throws CliError */
export const readEvents = async ({
  files,
}: Archive): Promise<{ readonly own: readonly ArchivedRecord[]; readonly others: number }> => {
  const path = 'calendar.json';
  const file = files.get(path);
  const all = file ? toRecords(parseJson(await readText(file, maxListBytes), path)) : [];
  // Of the user's own, the API names no owner.
  const own = all.filter(({ owner }) => owner === null);
  // One with fewer fields equals more of what is there, so it takes what the others leave.
  own.sort((a, b) => countFields(b) - countFields(a));
  return { own, others: all.length - own.length };
};

type Described = Readonly<Record<string, unknown>>;

const pick = (event: Described): Described =>
  Object.fromEntries(names.map((name) => [name, event[name]]));

const toOutline = ({ title, rrule }: Described): string => JSON.stringify([title, rrule]);

const identify = (event: Described): string => JSON.stringify(pick(event));

/** Returns whether an event has what the archive says of one. A field that the archive doesn’t have was left to the service. */
const toComparison = (event: ArchivedRecord) => {
  const wanted = Object.entries(pick(event)).filter(([, value]) => value !== undefined);
  return (identity: string): boolean => {
    const present: Described = JSON.parse(identity);
    return wanted.every(([name, value]) => isDeepStrictEqual(present[name], value));
  };
};

const monthMs = 31 * 86_400_000;

/** Returns the month in which a search for an event begins (UTC). Of an all-day event, it may begin a day before elsewhere. */
const toMonth = (start: string): string => start.slice(0, 7);

/** How far a search goes: a month, or what a yearly event takes until its second occurrence, if the first isn’t there. */
const toSpanMs = ({ start, exdates, overrides }: ArchivedRecord): number => {
  const moved = toRecords(overrides).map(({ recurrenceId }) => recurrenceId);
  const isMissing = [...toTexts(exdates), ...moved].includes(toText(start));
  return isMissing ? 14 * monthMs : monthMs;
};

/** Lists the ids of a user's own events in a window, of recurring ones of each once. */
async function* listIds(client: Client, from: number, to: number): AsyncGenerator<number> {
  let start: string | null = new Date(from).toISOString();
  const end = new Date(to).toISOString();
  while (start !== null) {
    const query = { start, end, timezone: 'UTC' };
    const window: Data<'GET /api/calendar/events'> = await client.call('GET /api/calendar/events', {
      query,
    });
    for (const { owner, seriesId, id } of window.items) if (owner === null) yield seriesId ?? id;
    start = window.nextStart;
  }
}

/** The months in which events can be, and their end (ms since 1970). */
const months = /^(?:19|2[01])\d\d-\d\d$/;
const endMs = Date.UTC(2200, 0) - 1;

/** Reads the user's events in a window; none if the service lists none there. */
async function* readWindow(
  client: Client,
  from: number,
  to: number,
  known: Set<number>,
): AsyncGenerator<CalendarEvent> {
  try {
    for await (const id of listIds(client, from, Math.min(to, endMs))) {
      if (known.has(id)) continue;
      known.add(id);
      yield await client.call('GET /api/calendar/events/{id}', { params: { id } });
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
  }
}

/** Reads the user's events that start when some of an archive do. */
async function* readAround(
  client: Client,
  events: readonly ArchivedRecord[],
): AsyncGenerator<CalendarEvent> {
  const spans = new Map<string, number>();
  for (const event of events) {
    const month = toMonth(toText(event['start']));
    if (months.test(month) && !Number.isNaN(Date.parse(month))) {
      spans.set(month, Math.max(spans.get(month) ?? 0, toSpanMs(event)));
    }
  }
  const known = new Set<number>();
  for (const [month, spanMs] of spans) {
    const from = Date.parse(month);
    yield* readWindow(client, from, from + spanMs, known);
  }
}

/** Finds the events that the user has, of those that some of an archive may be. */
export const listPresentEvents = (
  client: Client,
  events: readonly ArchivedRecord[],
): Promise<Present<CalendarEvent>> =>
  createPresent(readAround(client, events), toOutline, async (event) => identify(event));

/** Changes the occurrences that differ from the rule, but for those that already do. */
const changeOccurrences = async (
  client: Client,
  { id, overrides: present }: CalendarEvent,
  { overrides, exdates }: ArchivedRecord,
): Promise<boolean> => {
  const canceled = toTexts(exdates);
  const missing = toRecords(overrides).filter(
    (one) =>
      !canceled.includes(toText(one['recurrenceId'])) &&
      !present.some((other) => isDeepStrictEqual(one, { ...other })),
  );
  for (const { recurrenceId, start, end, title, location, status } of missing) {
    await client.call('PUT /api/calendar/events/{id}/occurrences/{start}', {
      params: { id, start: toText(recurrenceId) },
      body: {
        ...{ start, end },
        ...(title !== null && { title }),
        ...(location !== null && { location }),
        ...(status !== null && { status }),
      } as never,
    });
  }
  return missing.length > 0;
};

/** Imports an event without the people whom it invites, unless the user has it; changed occurrences that it lacks are added. */
export const importEvent = async (
  client: Client,
  event: ArchivedRecord,
  present: Present<CalendarEvent>,
  tally: Tally,
): Promise<Result> => {
  if (toText(event['title']) === '') throw new CliError('It has no title.');
  const found = await present.take(toOutline(event), toComparison(event));
  if (found) return (await changeOccurrences(client, found, event)) ? 'imported' : 'present';
  const created = await client.call('POST /api/calendar/events', { body: pick(event) as never });
  await changeOccurrences(client, created, event);
  if (toRecords(event['attendees']).length > 0) {
    tally.lose('people of events', 'nobody is invited again');
  }
  return 'imported';
};
