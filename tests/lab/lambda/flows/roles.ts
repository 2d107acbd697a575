import { expect } from 'vitest';
import { modern } from '../../../support/mcp/messages.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { intakeOf, reportRequest } from '../../../support/shares/intake.ts';
import { changeUser } from '../../../support/users/administration.ts';
import { newRole } from '../../../support/users/roles.ts';
import { login, newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { type Flows, minuteMs, runAll } from './flow.ts';

/** A route of each function that reads the role of its caller. */
const reading: readonly (readonly [string, Readonly<Record<string, string>>?])[] = [
  ['GET /api/apps'],
  ['GET /api/audit'],
  ['GET /api/calendar/events'],
  ['GET /api/checkin'],
  ['GET /api/dashboard/stats'],
  ['GET /api/documents'],
  ['GET /api/files'],
  ['GET /api/messages'],
  ['GET /api/notifications'],
  ['GET /api/sales'],
  ['GET /api/settings'],
  ['GET /api/shares'],
  ['GET /api/webhooks'],
  ['GET /documents'],
  ['GET /s/{id}', { id: 'nothing' }],
];

/** Enough to be refused nowhere: what is read ahead for a refused caller would end after the answer. */
const permissions = [
  'shares:manage',
  ...['documents', 'files', 'messages', 'calendar', 'dashboard', 'sales', 'audit', 'settings'].map(
    (resource) => `${resource}:view`,
  ),
];

/** Creates someone with a role of the service’s own, who may decide about reports. */
const newModerator = async () => {
  const root = await newUserOf('super_admin');
  const person = await newPerson();
  const role = await newRole(root, permissions);
  expect((await changeUser(root, person.id, { role })).status).toBe(200);
  return { ...person, token: (await login(person.email)).body.accessToken as string };
};

export const roleFlows: Flows = {
  'a user of a custom role, whom each function knows': async () => {
    const { token } = await newModerator();
    for (const [endpoint, params = {}] of reading) {
      const { status } = await call(endpoint, { token, params });
      expect([200, 404], endpoint).toContain(status);
    }
    expect((await modern(token, 'tools/list')).status).toBe(200);
  },
  'a report, told to a user whose custom role lets them decide': async () => {
    await newModerator();
    const id = await intakeOf(await newPerson()).newRequest();
    expect((await reportRequest(id)).status).toBe(303);
    pass(2 * minuteMs);
    await runAll();
  },
};
