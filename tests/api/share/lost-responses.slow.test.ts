// Whether each view is counted once although responses of the table are lost, over sockets and below the retries of the SDK.
// `aws.test.ts` has the decisions, `tests/lab/models/share.test.ts` concurrent histories.
import { ThrottlingException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dynamoDbClient } from '../../../shared/db/dynamodb.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { sendRequests } from '../../support/service/direct-calls.ts';
import { linksOf } from '../../support/shares/requests.ts';
import { open, view } from '../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newPerson, type Person } from '../../support/users/test-users.ts';

useTable();
sendRequests();
useBucket();

/** An attempt to send a request to the table. */
interface Attempt {
  readonly operation: string;
  /** The request as JSON. */
  readonly body: string;
}

/** A fault of the next matching attempt: an error instead of the request, or a lost response. */
interface Fault {
  fits(attempt: Attempt): boolean;
  readonly error?: () => Error;
  /** Runs before the loss is detected. */
  readonly meanwhile?: () => Promise<unknown>;
}

let faults: Fault[] = [];
let owner: Person;

const lost = () => Object.assign(new Error('No answer'), { name: 'TimeoutError' });
const throttled = () =>
  new ThrottlingException({ message: 'Too much', $metadata: { httpStatusCode: 400 } });
const conflicting = () =>
  new TransactionConflictException({ message: 'In between', $metadata: { httpStatusCode: 400 } });

const isClaim = ({ operation, body }: Attempt) =>
  operation === 'UpdateItem' && body.includes('#views + :one');
/** The view that ends the share. */
const isLastClaim = (attempt: Attempt) => isClaim(attempt) && attempt.body.includes('endedAt = ');
const isGiveBack = ({ operation, body }: Attempt) =>
  operation === 'UpdateItem' && body.includes('#views - :one');

const times = <T>(count: number, one: T): T[] => Array<T>(count).fill(one);
const losing = (fits: Fault['fits'], meanwhile?: Fault['meanwhile']): Fault =>
  meanwhile ? { fits, meanwhile } : { fits };

beforeAll(async () => {
  // A form submitted again within a minute is the same view.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') });
  dynamoDbClient().middlewareStack.add(
    (next) => async (args) => {
      const { headers, body } = args.request as { headers: Record<string, string>; body: string };
      const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
      const at = faults.findIndex(({ fits }) => fits({ operation, body }));
      const [fault] = at === -1 ? [] : faults.splice(at, 1);
      if (!fault) return next(args);
      if (fault.error) throw fault.error();
      const { response } = await next(args);
      // Discards the unread response; otherwise its connection would stay in use.
      (response as { body: { destroy?(): void } }).body.destroy?.();
      await fault.meanwhile?.();
      throw lost();
    },
    // Runs within the SDK’s retries, once per attempt.
    { step: 'deserialize', priority: 'low', name: 'faults' },
  );
  owner = await newPerson();
});
afterAll(() => void vi.useRealTimers());
afterEach(() => {
  expect(faults, 'faults that nothing met').toEqual([]);
  faults = [];
});

const newShare = async (body: Record<string, unknown>): Promise<string> =>
  (await call('POST /api/share', { token: owner.token, body: { content: 'x', ...body } })).body.id;

const own = async (id: string) =>
  (await call('GET /api/share', { token: owner.token, query: { id, mine: 'true' } })).body;

/** Views the share until it returns 410, and returns the number of served views. */
const viewToTheEnd = async (id: string, password?: string): Promise<number> => {
  for (let served = 0; ; served++) {
    const { status } = await view(id, password);
    if (status === 410) return served;
    expect(status).toBe(200);
  }
};

/** Views the share this many times. */
const others = (id: string, count: number, password?: string) => async () => {
  for (let at = 0; at < count; at++) expect((await view(id, password)).status).toBe(200);
};

// The access item stores the last 40 views.
describe.each([0, 39])('a view with a lost response and %i views in between', (count) => {
  it('is counted once and keeps the limit', async () => {
    const id = await newShare({ viewLimit: count + 3 });
    faults = [losing(isClaim, others(id, count))];
    expect(await view(id)).toMatchObject({ status: 200, body: { content: 'x' } });
    expect((await own(id)).views).toBe(count + 1);
    expect(await viewToTheEnd(id)).toBe(2);
    expect(await own(id)).toMatchObject({ views: count + 3, viewsLeft: 0 });
  });

  it('is served even if the others consumed the last view', async () => {
    const id = await newShare({ viewLimit: count + 1 });
    faults = [losing(isClaim, others(id, count))];
    expect(await view(id)).toMatchObject({ status: 200, body: { content: 'x', viewsLeft: 0 } });
    expect(await viewToTheEnd(id)).toBe(0);
    expect((await own(id)).views).toBe(count + 1);
  });

  it('opens the page once', async () => {
    const id = await newShare({ viewLimit: count + 2 });
    faults = [losing(isClaim, others(id, count))];
    expect((await open(id, { claim: 'a-nonce' })).status).toBe(303);
    expect(await viewToTheEnd(id)).toBe(1);
    expect((await own(id)).views).toBe(count + 2);
  });
});

describe('a view with a lost response and more views in between than the access item stores', () => {
  it('is counted twice if views are left, and never exceeds the limit', async () => {
    const id = await newShare({ viewLimit: 43 });
    faults = [losing(isClaim, others(id, 40))];
    expect((await view(id)).status).toBe(200);
    expect((await own(id)).views).toBe(42);
    expect(await viewToTheEnd(id)).toBe(1);
  });

  it('returns 410 if no view is left', async () => {
    const id = await newShare({ viewLimit: 41 });
    faults = [losing(isClaim, others(id, 40))];
    expect((await view(id)).status).toBe(410);
    expect((await own(id)).views).toBe(41);
  });
});

describe('a view whose write fails', () => {
  it.each([
    ['throttled', throttled, 2],
    ['in conflict with a transaction', conflicting, 4],
  ])('is retried while it is %s, and counted once', async (_, error, count) => {
    const id = await newShare({ viewLimit: 3 });
    faults = times(count, { fits: isClaim, error });
    expect(await view(id)).toMatchObject({ status: 200, body: { views: 1 } });
    expect(await viewToTheEnd(id)).toBe(2);
  });

  it.each([
    ['throttling', throttled, 3],
    ['conflicts', conflicting, 5],
  ])('returns 503 after repeated %s and consumes nothing', async (_, error, count) => {
    const id = await newShare({ viewLimit: 2 });
    faults = times(count, { fits: isClaim, error });
    expect((await view(id)).status).toBe(503);
    expect((await own(id)).views).toBe(0);
    expect(await viewToTheEnd(id)).toBe(2);
  });

  it.each([
    [1, isLastClaim],
    [2, isClaim],
  ])('is refunded after losing all responses, with a limit of %i', async (viewLimit, fits) => {
    const id = await newShare({ viewLimit });
    faults = times(3, losing(fits));
    expect((await view(id)).status).toBe(503);
    expect(await own(id)).toMatchObject({ views: 0, status: 'active' });
    expect(await viewToTheEnd(id)).toBe(viewLimit);
  });

  it('is recognized when the form is submitted again', async () => {
    const id = await newShare({ viewLimit: 2 });
    faults = times(3, losing(isClaim));
    expect((await open(id, { claim: 'a-nonce' })).status).toBe(503);
    expect((await own(id)).views).toBe(1);
    expect((await open(id, { claim: 'a-nonce' })).status).toBe(303);
    expect(await viewToTheEnd(id)).toBe(1);
  });
});

describe('a view with no response', () => {
  const losingClaims = (meanwhile?: Fault['meanwhile']) => [
    ...times(2, losing(isClaim)),
    losing(isClaim, meanwhile),
  ];

  it.each([1, 3])(
    'is refunded once if the response of the refund is lost, with a limit of %i',
    async (viewLimit) => {
      const id = await newShare({ viewLimit });
      faults = [...losingClaims(), losing(isGiveBack)];
      expect((await view(id)).status).toBe(503);
      expect((await own(id)).views).toBe(0);
      expect(await viewToTheEnd(id)).toBe(viewLimit);
    },
  );

  it('is refunded to the share and to its recipient link', async () => {
    const id = await newShare({ viewLimit: 3 });
    const { addLink, links } = linksOf(owner);
    const link = (await addLink(id, { label: 'Mei', viewLimit: 1 })).body.id;
    faults = [...losingClaims(), losing(isGiveBack)];
    expect((await view(link)).status).toBe(503);
    expect([(await own(id)).views, (await links(id)).body.items[0].views]).toEqual([0, 0]);
    expect((await view(link)).status).toBe(200);
    expect((await view(link)).status).toBe(410);
  });

  it('is refunded once with another view in between', async () => {
    const id = await newShare({ viewLimit: 3 });
    faults = [...losingClaims(), losing(isGiveBack, others(id, 2))];
    expect((await view(id)).status).toBe(503);
    expect((await own(id)).views).toBe(2);
    expect(await viewToTheEnd(id)).toBe(1);
  });

  it('is refunded after the share was ended manually, which stays ended', async () => {
    const id = await newShare({ viewLimit: 5, expiresIn: 600 });
    await others(id, 2)();
    const params = { id };
    faults = losingClaims(async () => {
      expect((await own(id)).views).toBe(3);
      await call('POST /api/share/{id}/end', { token: owner.token, params });
    });
    expect((await view(id)).status).toBe(503);
    expect(await own(id)).toMatchObject({ views: 2, viewsLeft: 3, status: 'ended' });
    expect((await itemsOf(`SHARE#${id}`)).find(({ sk }) => sk === 'STATE')).toMatchObject({
      endedAt: expect.any(String),
      gsi1pk: expect.stringMatching(/^SHARES#ENDS#\d$/),
    });
  });

  it.each([1, 38])('reopens a share that %i other views have ended since', async (count) => {
    const id = await newShare({ viewLimit: count + 1, expiresIn: 600 });
    faults = losingClaims(async () => {
      await others(id, count)();
      expect(await own(id)).toMatchObject({ viewsLeft: 0, status: 'ended' });
    });
    expect((await view(id)).status).toBe(503);
    expect(await own(id)).toMatchObject({ views: count, viewsLeft: 1, status: 'active' });
    expect(await viewToTheEnd(id)).toBe(1);
    expect(await own(id)).toMatchObject({ views: count + 1, status: 'ended' });
  });
});
