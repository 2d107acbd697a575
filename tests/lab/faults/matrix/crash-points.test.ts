import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { violationsOf } from '../../../support/invariants/invariants.ts';
import { temporaryFolder } from '../../../support/run/process.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { runJobs, runMinute } from '../../../support/service/jobs.ts';
import { readItems, readState } from '../../../support/service/state.ts';
import { login, newEmail, newUserOf, password } from '../../../support/users/test-users.ts';
import {
  type CrashPoint,
  crashPointsOf,
  endRunningRequests,
  sendAndKill,
  sendTo,
  startOnEngines,
  type WholeRequest,
} from '../../support/faults/crashes.ts';
import { useFaultyEngines } from '../../support/faults/engines.ts';

useVirtualTime(new Date().toISOString());
const engines = useFaultyEngines();

beforeEach(() => {
  // Uses the real clock, because tokens and request signatures depend on it.
  vi.setSystemTime(vi.getRealSystemTime());
});

/** Too large for an item, so it is stored in the bucket. */
const large = () => randomBytes(20_000).toString('base64');

/** A request that is retried until it succeeds. */
interface Deed {
  readonly request: WholeRequest;
  /** Statuses that the same request may return after a crash. */
  readonly again: readonly number[];
  /** Checks that it took effect exactly once. */
  check(): Promise<void>;
}

const withKey = () => ({ 'idempotency-key': randomUUID() });

/** Counts the records of a kind that name a user in this field. */
const countRecords = async (kind: string, name: string, userId: number): Promise<number> =>
  (await readItems()).filter(({ sk, [name]: value }) => sk === kind && value === userId).length;

const register = async (): Promise<Deed> => {
  const email = newEmail();
  const body = { email, name: 'Ann Example', password, confirmPassword: password };
  return {
    request: { method: 'POST', path: '/api/auth/register', body },
    again: [201, 409],
    check: async () => expect((await login(email)).status).toBe(200),
  };
};

const share = async (): Promise<Deed> => {
  const { id, token } = await newUserOf('user');
  const body = { content: large() };
  return {
    request: { method: 'POST', path: '/api/share', token, headers: withKey(), body },
    again: [201],
    check: async () => expect(await countRecords('SHARE', 'ownerId', id)).toBe(1),
  };
};

const upload = async (): Promise<Deed> => {
  const { id, token } = await newUserOf('admin');
  const body = new FormData();
  body.append('file', new File([large()], 'notes.txt'));
  return {
    request: { method: 'POST', path: '/api/files/upload', token, headers: withKey(), body },
    again: [201],
    check: async () => expect(await countRecords('FILE', 'ownerId', id)).toBe(1),
  };
};

const message = async (): Promise<Deed> => {
  const { id, token } = await newUserOf('admin');
  const [first, second] = [await newUserOf('user'), await newUserOf('user')];
  const body = { to: [first.id, second.id], subject: 'Hi', content: large() };
  return {
    request: { method: 'POST', path: '/api/messages', token, headers: withKey(), body },
    again: [201],
    check: async () => {
      expect(await countRecords('MESSAGE', 'senderId', id)).toBe(1);
      for (const reader of [first, second]) {
        const inbox = await call('GET /api/messages', { token: reader.token });
        expect(inbox.body.data).toMatchObject({ total: 1, items: [{ subject: 'Hi' }] });
      }
    },
  };
};

/** Deletes a user with data of every kind. */
const removeUser = async (): Promise<Deed> => {
  const admin = await newUserOf('admin');
  const other = await newUserOf('user');
  const extraPermissions = ['documents:create', 'messages:create'];
  const { id, token } = await newUserOf('user', { extraPermissions });
  await call('POST /api/share', { token, body: { content: large() } });
  const made = await call('POST /api/documents', {
    token,
    body: { title: 'Plans', content: large() },
  });
  await call('POST /api/documents/{id}/share', {
    token,
    params: { id: String(made.body.data.id) },
    body: { userIds: [other.id] },
  });
  await call('POST /api/messages', { token, body: { to: [other.id], content: 'Hello' } });
  return {
    request: { method: 'DELETE', path: `/api/users/${id}`, token: admin.token },
    again: [200, 404],
    check: async () => {
      const own = (await readItems()).filter(({ pk, sk }) => pk === `USER#${id}` && sk === 'USER');
      expect(own).toEqual([]);
    },
  };
};

const deeds = { register, share, upload, message, removeUser } as const;

/** Runs all deferred work and checks that nothing remains. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 4; round++) {
    pass(5 * 60_000);
    await runMinute();
    await runJobs();
  }
  // Unused uploads are deleted by then.
  pass(2 * 60 * 60_000);
  for (let scheduled = 1; scheduled > 0; ) {
    await runMinute();
    scheduled = (await readItems()).filter(({ pk }) => pk.startsWith('DELETIONS#')).length;
  }
};

const describePoint = ({ kind, service, operation, nth }: CrashPoint): string =>
  `${kind === 'act-before' ? 'before' : 'after'} ${service} ${operation} ${nth}`;

describe('a crash of the service', () => {
  it.each(Object.entries(deeds))(
    'leaves %s complete or repeatable at every point',
    async (_, prepare) => {
      const folder = await temporaryFolder();
      let service = await startOnEngines(folder);
      const first = await prepare();
      const { result, asked } = await engines.suffer([], () => sendTo(service, first.request));
      expect(first.again).toContain(result?.status);
      await first.check();
      const points = crashPointsOf(asked);
      let met = 0;
      for (const point of points) {
        const where = describePoint(point);
        const deed = await prepare();
        const { told, isMet } = await sendAndKill(engines, service, deed.request, point);
        met += Number(isMet);
        expect(violationsOf(await readState()), `${where}, ${told?.status}`).toEqual([]);
        service = await startOnEngines(folder);
        await endRunningRequests();
        const again = await sendTo(service, deed.request);
        expect(deed.again, `${where}: ${JSON.stringify(again)}`).toContain(again?.status);
        await deed.check();
        expect(violationsOf(await readState()), `${where}, again`).toEqual([]);
      }
      await service.stop();
      // Jobs may write concurrently, so a point may match their writes or never occur.
      expect(met).toBeGreaterThan(points.length / 2);
      await settle();
      expect(violationsOf(await readState())).toEqual([]);
    },
    10 * 60_000,
  );
});
