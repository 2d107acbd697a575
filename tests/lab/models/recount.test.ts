import { describe, expect, it } from 'vitest';
import { recount } from '../../../functions/jobs/recount/recount.ts';
import { newViewer } from '../../support/dashboard/dashboard.ts';
import { upload } from '../../support/files/files.ts';
import { violationsOf } from '../../support/invariants/invariants.ts';
import fc from '../../support/run/properties.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { queuedJobs, runJobs, runMinute, sendBody, useJobs } from '../../support/service/jobs.ts';
import { readState } from '../../support/service/state.ts';
import { type Fault, useFaults } from '../../support/table/lost-transactions.ts';
import { useTable } from '../../support/table/table.ts';
import { newEmail, newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();
useJobs();
const fail = useFaults();

/** An action of a user on an existing record, both chosen by number. */
interface Step {
  readonly action: string;
  readonly who: number;
  readonly thing: number;
  readonly other: number;
}

/** The users and the records with their creators, in order of creation. */
interface World {
  readonly admin: Person;
  readonly people: readonly Person[];
  readonly made: Readonly<Record<Made, { readonly id: unknown; readonly by: Person }[]>>;
}

type Made = 'user' | 'document' | 'file' | 'folder' | 'share' | 'message' | 'event' | 'sale';

type Act = (world: World, step: Step) => Promise<Answer | undefined>;

const at = <One>(all: readonly One[], place: number): One | undefined =>
  all[place % Math.max(all.length, 1)];

const personIn = ({ people }: World, place: number): Person => at(people, place) as Person;

const idsOf = ({ made }: World, kind: Made): unknown[] => made[kind].map(({ id }) => id);

/** Creates a record and stores its id. */
const making =
  (kind: Made, make: (token: string, world: World, step: Step) => Promise<Answer>): Act =>
  async (world, step) => {
    const response = await make(personIn(world, step.who).token, world, step);
    if (response.status === 201) {
      const made = kind === 'share' ? response.body : response.body.data;
      world.made[kind].push({ id: made.id, by: personIn(world, step.who) });
    }
    return response;
  };

/** Calls a route about an existing or deleted record, as its creator or another user. */
const about =
  (kind: Made, endpoint: string, bodyOf?: (world: World, step: Step) => object): Act =>
  async (world, step) => {
    const thing = at(world.made[kind], step.thing);
    if (!thing) return undefined;
    const { token } =
      kind === 'user' ? world.admin : step.who === 0 ? thing.by : personIn(world, step.other);
    const body = bodyOf?.(world, step);
    return call(endpoint, { token, params: { id: String(thing.id) }, ...(body && { body }) });
  };

const day = { start: '2026-11-23T09:00:00Z', end: '2026-11-23T10:00:00Z' };
const post =
  (endpoint: string, body: (world: World, step: Step) => object) =>
  (token: string, world: World, step: Step) =>
    call(endpoint, { token, body: body(world, step) });

const trash = about('document', 'DELETE /api/documents/{id}');
const fromTrash =
  (endpoint: string): Act =>
  async (world, step) => {
    await trash(world, step);
    return about('document', endpoint)(world, step);
  };

const actions: Readonly<Record<string, Act>> = {
  'make a user': making('user', (_, { admin }) =>
    call('POST /api/users', {
      token: admin.token,
      body: { email: newEmail(), name: 'New User', password: 'correct horse' },
    }),
  ),
  'change the status of a user': about('user', 'PUT /api/users/{id}', (_, { other }) => ({
    status: at(['active', 'inactive', 'suspended'], other),
  })),
  'change the role of a user': about('user', 'PUT /api/users/{id}', (_, { other }) => ({
    role: at(['user', 'guest', 'super_admin'], other),
  })),
  'remove a user': about('user', 'DELETE /api/users/{id}'),
  'write a document': making(
    'document',
    post('POST /api/documents', (_, { other }) => ({
      title: 'Plans',
      visibility: at(['private', 'everyone'], other),
    })),
  ),
  'show a document': about('document', 'PUT /api/documents/{id}', (_, { other }) => ({
    visibility: at(['private', 'everyone'], other),
  })),
  'share a document': about('document', 'POST /api/documents/{id}/share', (world, { other }) => ({
    userIds: [at([...idsOf(world, 'user'), ...world.people.map(({ id }) => id)], other)],
  })),
  'put a document into the trash': trash,
  'restore a document': fromTrash('POST /api/documents/{id}/restore'),
  'delete a document for good': fromTrash('DELETE /api/documents/trash/{id}'),
  'upload a file': making('file', (token) => upload({ token }, 'Hello')),
  'make a folder': making(
    'folder',
    post('POST /api/files/folders', (_, { other, thing }) => ({ name: `F ${other} ${thing}` })),
  ),
  'change a file': about('file', 'PUT /api/files/{id}', (world, { other }) =>
    other % 2 === 0
      ? { visibility: at(['private', 'everyone'], other / 2) }
      : { folderId: at([...idsOf(world, 'folder'), null], other) },
  ),
  'remove a file': about('file', 'DELETE /api/files/{id}'),
  'remove a folder': about('folder', 'DELETE /api/files/{id}'),
  'share a page': making(
    'share',
    post('POST /api/share', () => ({ content: '<p>Hello</p>' })),
  ),
  'take a share away': about('share', 'DELETE /api/share/{id}'),
  'send a message': making(
    'message',
    post('POST /api/messages', (world, { other, thing }) => ({
      content: 'Hello',
      recipients: [personIn(world, other).id, at(idsOf(world, 'user'), thing)].filter(
        (id, place, all) => id !== undefined && all.indexOf(id) === place,
      ),
    })),
  ),
  'look for messages': (world, { who }) =>
    call('GET /api/messages', { token: personIn(world, who).token }),
  'read a message': about('message', 'PUT /api/messages/{id}/read'),
  'delete a message': about('message', 'DELETE /api/messages/{id}'),
  'plan a task': making(
    'event',
    post('POST /api/calendar/events', (_, { other }) => ({
      ...day,
      title: 'A task',
      type: at(['task', 'meeting'], other),
    })),
  ),
  'change a task': about('event', 'PUT /api/calendar/events/{id}', (_, { other }) => ({
    ...(other % 3 === 0
      ? { type: at(['task', 'meeting'], other / 3) }
      : { status: at(['pending', 'done'], other) }),
  })),
  'cancel a task': about('event', 'DELETE /api/calendar/events/{id}'),
  'sell something': making(
    'sale',
    post('POST /api/sales', (_, { other, thing }) => ({
      amount: 10 + other,
      externalId: `sale-${other}`,
      category: at(['Books', 'Music'], other),
      soldAt: `2026-${thing % 2 === 0 ? '10' : '11'}-01T00:00:00Z`,
    })),
  ),
  'change a sale': about('sale', 'PUT /api/sales/{id}', (_, { other }) => ({
    amount: 20 + other,
    ...(other % 2 === 0 && { category: at(['Books', 'Games', null], other / 2) }),
    ...(other % 3 === 0 && { soldAt: `2026-0${7 + other / 3}-01T00:00:00Z` }),
  })),
  'refund a sale': about('sale', 'POST /api/sales/{id}/refund'),
  'delete a sale': about('sale', 'DELETE /api/sales/{id}'),
};

const makers = Object.keys(actions).filter((action) =>
  /^(make|write|upload|share a page|send|plan|sell)/.test(action),
);
const none = { who: 0, thing: 0, other: 0 };

const Step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...Object.keys(actions)),
  who: fc.nat(1),
  thing: fc.nat(2),
  other: fc.nat(11),
});

/** Concurrent steps and the faults of their transactions. */
const Round = fc.record({
  steps: fc.array(Step, { minLength: 8, maxLength: 12, size: 'max' }),
  faults: fc.array(
    fc.constantFrom<Fault | undefined>('lost', 'throttled', undefined, undefined, undefined),
    { maxLength: 10 },
  ),
  comesAgain: fc.boolean(),
});

describe('a recount after any history of all groups', () => {
  const taken = new Map<string, number>();

  /** Runs every job, some of them twice. */
  const work = async (comesAgain: boolean): Promise<void> => {
    const bodies = comesAgain ? await queuedJobs() : [];
    await runJobs();
    for (const body of bodies) await sendBody(body);
    await runJobs();
  };

  it('finds no differences', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(Round, { minLength: 3, maxLength: 5, size: 'max' }),
        async (rounds) => {
          // Each history has new users, because tokens expire.
          const admin = await newUserOf('super_admin');
          const people = [await newViewer(), await newViewer()];
          const made = {
            user: [],
            document: [],
            file: [],
            folder: [],
            share: [],
            message: [],
            event: [],
            sale: [],
          };
          const world: World = { admin, people, made };
          // Starts with one of each.
          for (const action of makers) await actions[action]?.(world, { ...none, action });
          for (const { steps, faults, comesAgain } of rounds) {
            fail(faults);
            const responses = await Promise.all(
              steps.map((step) => actions[step.action]?.(world, step)),
            );
            fail([]);
            for (const [place, response] of responses.entries()) {
              const { action } = steps[place] as Step;
              expect(
                response?.status ?? 200,
                `${action}: ${JSON.stringify(response?.body)}`,
              ).not.toBe(500);
              if (response && response.status < 300)
                taken.set(action, (taken.get(action) ?? 0) + 1);
            }
            await work(comesAgain);
          }
          // Reconciles the data of deleted users.
          pass(2 * 60_000);
          await runMinute();
          await work(true);
          expect(await recount()).toEqual({ differences: [], unstable: [], repaired: [] });
          expect(violationsOf(await readState())).toEqual([]);
        },
      ),
      { numRuns: 20, endOnFailure: true, interruptAfterTimeLimit: 240_000 },
    );
    // Every action succeeds at least once.
    expect([...taken.keys()].toSorted()).toEqual(Object.keys(actions).toSorted());
  });
});
