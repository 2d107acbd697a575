import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { userRecorder } from '../../../../shared/audit/audit-log.ts';
import { made as madeDocument } from '../../../support/documents/documents.ts';
import {
  archiveOf,
  deleteExport,
  listExports,
  orderOwnData,
} from '../../../support/exports/exports.ts';
import { made as madeFile } from '../../../support/files/files.ts';
import { sent } from '../../../support/messages/messages.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { mailsTo } from '../../../support/service/mail.ts';
import { sendFiles, site } from '../../../support/shares/files.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { newRole } from '../../../support/users/roles.ts';
import { newUserOf } from '../../../support/users/test-users.ts';
import { type Flows, large, minuteMs, runAll } from './flow.ts';

const sale = { amount: 10, soldAt: '2026-11-01T12:00:00.000Z' };

const event = {
  title: 'Lunch',
  start: '2026-11-23T09:00:00.000Z',
  end: '2026-11-23T10:00:00.000Z',
};

/** Three of them are more than a part of an upload. */
const fileBytes = 3 * 1024 * 1024;

export const exportFlows: Flows = {
  'own data, in parts, with a mail and a download': async () => {
    const ann = await newUserOf('super_admin');
    const share = await sharesOf(ann).newShare({ content: large(), language: 'html' });
    await sharesOf(ann).put(share, { content: large() });
    expect((await sendFiles(ann.token, site)).status).toBe(201);
    const document = await madeDocument(ann, { title: 'Minutes', type: 'text', content: large() });
    for (const name of ['a', 'b', 'c']) await madeFile(ann, { name }, randomBytes(fileBytes));
    await sent(ann, [ann], { subject: 'Hi', content: large() });
    await call('PUT /api/documents/{id}', {
      token: ann.token,
      params: { id: String(document) },
      body: { content: large() },
    });
    await call('POST /api/calendar/events', { token: ann.token, body: event });
    // More than a page of the audit, whose next one a signed cursor names.
    for (let at = 0; at <= 100; at++) {
      await userRecorder('document.update', ann.id).record({ subject: `document:${at}` });
    }
    await orderOwnData(ann);
    pass(minuteMs);
    await runAll();
    const [ready] = await listExports(ann);
    expect(ready).toMatchObject({ status: 'ready', problem: null });
    expect(ready.bytes).toBeGreaterThan(3 * fileBytes);
    expect(await archiveOf(ann, ready.id)).toHaveProperty('profile.json');
    await runAll();
    expect((await mailsTo(ann.email)).map(({ subject }) => subject)).toContain(
      'The export of your data is ready',
    );
    await deleteExport(ann, ready.id);
    pass(minuteMs);
    await runAll();
  },
  'own data to a user with a custom role': async () => {
    const role = await newRole(await newUserOf('super_admin'), []);
    const bob = await newUserOf(role);
    await orderOwnData(bob);
    pass(minuteMs);
    await runAll();
    expect((await listExports(bob))[0]).toMatchObject({ status: 'ready' });
  },
  'whole lists, with each filter that has a list of its own': async () => {
    const { token } = await newUserOf('super_admin');
    const body = { ...sale, category: 'Books', customer: 'Ann' };
    expect((await call('POST /api/sales', { token, body })).status).toBe(201);
    const lists = [
      ['users', {}],
      ['users', { role: 'user', status: 'active' }],
      ['users', { search: 'ann' }],
      ['sales', {}],
      ['sales', { category: 'Books' }],
      ['audit', {}],
      ['audit', { actor: '1' }],
      ['shares', {}],
      ['shares', { reported: 'true' }],
      ['shares', { mine: 'true' }],
    ] as const;
    for (const [list, query] of lists) {
      const { status } = await call(`POST /api/${list}/export`, { token, query });
      expect(status).toBe(202);
      await runAll();
      const [made] = await listExports({ token });
      expect(made).toMatchObject({ kind: list, status: 'ready', problem: null });
      pass(1_000);
    }
  },
};
