import { describe, expect, it, vi } from 'vitest';
import { anHour, newGuest, newPlanner } from '../../support/calendar/calendar.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { statusesOf, times, useLimitedService } from '../../support/service/limited-service.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useTable();
useJobs();
const { start, send } = useLimitedService();

const invite = ({ token }: Person, ...guests: readonly Person[]) =>
  send('POST /api/calendar/events', {
    token,
    body: { title: 'An event', ...anHour, attendees: guests.map(({ id }) => id) },
  });

const attendees = ({ token }: Person, id: number, ...guests: readonly Person[]) =>
  send(`PUT /api/calendar/events/${id}`, {
    token,
    body: { attendees: guests.map((guest) => guest.id) },
  });

describe('limit of invitations', () => {
  it('allows 60 per hour from one user to another and names the recipient in the error', async () => {
    const [ann, cid] = [await newPlanner(), await newPlanner()];
    const [bob, dan] = [await newGuest(), await newGuest()];
    expect(await statusesOf(58, () => invite(ann, bob))).toEqual(times(58, 201));
    const { id } = JSON.parse((await invite(ann, dan)).text).data;
    // Only new attendees count as invited.
    expect((await attendees(ann, id, dan, bob)).status).toBe(200);
    expect((await attendees(ann, id, bob, dan)).status).toBe(200);
    expect((await attendees(ann, id, dan)).status).toBe(200);
    expect((await attendees(ann, id, dan, bob)).status).toBe(200);
    expect((await attendees(ann, id)).status).toBe(200);
    const before = (await itemsOf('EVENT#')).length;
    const message = `received too many invitations from you: ${bob.id}`;
    for (const refused of [await invite(ann, dan, bob), await attendees(ann, id, dan, bob)]) {
      expect([refused.status, JSON.parse(refused.text).error]).toMatchObject([
        429,
        {
          code: 'RATE_LIMITED',
          message: `Too many invitations to: ${bob.id}. Try again later.`,
          details: [{ field: 'attendees', message }],
        },
      ]);
      expect(refused.headers['retry-after']).toBe('60');
    }
    expect(await itemsOf('EVENT#')).toHaveLength(before);
    expect((await invite(cid, bob)).status).toBe(201);
    // Rejected requests do not count: 59 of 60 are left.
    expect(await statusesOf(60, () => invite(ann, dan))).toEqual([...times(59, 201), 429]);
    vi.setSystemTime(start + 60_000);
    expect(await statusesOf(2, () => invite(ann, bob))).toEqual([201, 429]);
  });
});
