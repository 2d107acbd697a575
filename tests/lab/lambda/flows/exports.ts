import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import {
  archiveOf,
  deleteExport,
  listExports,
  orderOwnData,
} from '../../../support/exports/exports.ts';
import { madeFile } from '../../../support/files/files.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { mailsTo } from '../../../support/service/mail.ts';
import { newUserOf } from '../../../support/users/test-users.ts';
import { type Flows, minuteMs, runAll } from './flow.ts';

/** More than a part of an upload. */
const largeBytes = 9 * 1024 * 1024;

export const exportFlows: Flows = {
  'own data, in parts, with a mail and a download': async () => {
    const ann = await newUserOf('super_admin');
    await madeFile(ann, { name: 'a.bin', content: randomBytes(largeBytes) });
    await orderOwnData(ann);
    pass(minuteMs);
    await runAll();
    const [ready] = await listExports(ann);
    expect(ready).toMatchObject({ status: 'ready', problem: null });
    expect(ready.bytes).toBeGreaterThan(largeBytes);
    expect(await archiveOf(ann, ready.id)).toHaveProperty('profile.json');
    await runAll();
    expect((await mailsTo(ann.email)).map(({ subject }) => subject)).toContain(
      'The export of your data is ready',
    );
    await deleteExport(ann, ready.id);
    pass(minuteMs);
    await runAll();
  },
};
