import { beforeAll, describe, expect, it, vi } from 'vitest';
import { create } from '../../../functions/api/share/changing/create.ts';
import { SentFiles } from '../../../functions/api/share/changing/sent-files.ts';
import { change, type ShareChange } from '../../../functions/api/share/changing/update.ts';
import { closeShare } from '../../../functions/api/share/ending/close.ts';
import { deleteShare } from '../../../functions/api/share/ending/delete.ts';
import { loadManifest, loadRevisionManifest } from '../../../functions/api/share/files/manifest.ts';
import { getObjectKey } from '../../../functions/api/share/files/objects.ts';
import { loadShare } from '../../../functions/api/share/reading/load.ts';
import { getExpiry, loadRevisions } from '../../../functions/api/share/record/revisions.ts';
import type { StoredShare } from '../../../functions/api/share/record/share.ts';
import { restoreRevision } from '../../../functions/api/share/revisions/revisions.ts';
import { signForms } from '../../../functions/api/share/uploads/forms.ts';
import {
  createUpload,
  deleteUpload,
  extendUpload,
} from '../../../functions/api/share/uploads/manage.ts';
import {
  getUploadPrefix,
  type StoredUpload,
  unpackFiles,
} from '../../../functions/api/share/uploads/upload.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { FilePart } from '../../../shared/http/multipart.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { sendForm } from '../../support/files/files.ts';
import fc from '../../support/run/properties.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import {
  deleteAllObjects,
  type Files,
  namesOf,
  objectsOf,
  usageOf,
} from '../../support/shares/files.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { clearTable } from '../../support/table/clear-table.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { allowCrashes, Crash, type CrashPoint, runUntil } from '../support/faults/dying-process.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
beforeAll(allowCrashes);

const hourMs = 3_600_000;
const recorder = systemRecorder('share.test');
const quota = 2_048;

/** Contents of files: some are equal under other names. */
const contents: Files = {
  'index.html': '<link rel=stylesheet href=a.css>',
  'two.html': '<p>Two</p>',
  'a.css': 'p { color: teal }'.repeat(10),
  'b.css': 'p { color: navy }'.repeat(20),
  'copy.css': 'p { color: teal }'.repeat(10),
  'empty.txt': '',
  'dot.gif': 'GIF89a of one point',
};
const paths = fc.subarray(Object.keys(contents), { minLength: 1 });
const target = fc.nat(5);
const point: fc.Arbitrary<CrashPoint | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ nth: fc.integer({ min: 1, max: 12 }), isAfter: fc.boolean() }),
);
const kindOf = <Kind extends string>(kind: Kind) => fc.constant(kind);

const Operation = fc.oneof(
  fc.record({ kind: kindOf('start'), paths, target: fc.option(target), point }),
  fc.record({ kind: kindOf('extend'), paths, target, point }),
  { weight: 2, arbitrary: fc.record({ kind: kindOf('send'), target, isWhole: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('create'), target, point }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('sent'), paths, point }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: kindOf('put'),
      target,
      what: fc.oneof(
        fc.record({ left: fc.nat(63) }),
        fc.record({ sent: paths }),
        kindOf('none'),
        kindOf('text'),
        kindOf('main'),
      ),
      point,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kindOf('restore'), target, nth: fc.nat(3), point }) },
  fc.record({ kind: kindOf('remove'), target, point }),
  fc.record({ kind: kindOf('end'), target, point }),
  fc.record({ kind: kindOf('drop'), target, point }),
);
type Operation = typeof Operation extends fc.Arbitrary<infer T> ? T : never;

let owners = 0;
let actor: Actor;

const startAnew = async (): Promise<void> => {
  owners += 1;
  // What a failed run has left would fail the smaller ones, by which its cause is found.
  await Promise.all([clearTable(), deleteAllObjects()]);
  const user = {
    id: owners,
    name: 'Ann',
    email: `ann${owners}@example.com`,
    role: 'user',
    status: 'active',
  };
  actor = { user, permissions: ['shares:*'] } as unknown as Actor;
  await putItems([{ ...userKeys.record.at({ id: owners }), ...user }]);
};

const listShares = async (): Promise<readonly StoredShare[]> =>
  ((await itemsOf('SHARE#')) as unknown as (StoredShare & { sk: string })[])
    .filter(({ sk, ownerId }) => sk === 'SHARE' && ownerId === actor.user.id)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));

const listUploads = async (): Promise<readonly StoredUpload[]> =>
  ((await itemsOf(`USER#${actor.user.id}`)) as unknown as (StoredUpload & { sk: string })[])
    .filter(({ sk }) => sk.startsWith('UPLOAD#'))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));

const pick = <One>(all: readonly One[], at: number): One | undefined => all[at % all.length];

const some = (names: readonly string[]): Files =>
  Object.fromEntries(names.map((name) => [name, contents[name] ?? '']));

const knownOf = async (share: StoredShare) => {
  const manifest = share.files && (await loadManifest(share.id, share.files));
  return { id: share.id, known: new Set(manifest?.files.map(({ sha256 }) => sha256)) };
};

const send = async (upload: StoredUpload, isWhole: boolean): Promise<void> => {
  const all = unpackFiles(upload).map(({ path }) => path);
  const { forms } = await signForms(upload, all, { isNew: false });
  const sent = isWhole ? forms : forms.slice(0, 1);
  await Promise.all(sent.map((form) => sendForm(form, contents[form.path] ?? '')));
};

const toChange = async (
  share: StoredShare,
  what: Extract<Operation, { kind: 'put' }>['what'],
  uploads: readonly StoredUpload[],
): Promise<ShareChange> => {
  const none = { useRandomPassword: false };
  if (what === 'none') return { ...none, files: { files: null } };
  if (what === 'text') return { ...none, content: `<p>${Date.now()}</p>` };
  if (what === 'main') return { ...none, files: { main: 'two.html' } };
  if ('left' in what) {
    const manifest = share.files && (await loadManifest(share.id, share.files));
    const files = manifest?.files.filter((_, at) => (what.left >> at) % 2 === 1) ?? [];
    return { ...none, files: { files } };
  }
  const upload = uploads.find(({ shareId }) => shareId === share.id) ?? uploads[0];
  return { ...none, files: { upload: upload?.id ?? 'none' } };
};

/** Starts an upload for a share and sends all of it, unless the share has one. */
const sendFor = async (share: StoredShare, names: readonly string[]): Promise<void> => {
  const started = (await listUploads()).find(({ shareId }) => shareId === share.id);
  const files = namesOf(some(names));
  const upload =
    started ?? (await createUpload(share.ownerId, files, await knownOf(share), recorder));
  await send(upload, true);
};

const act = async (operation: Operation): Promise<unknown> => {
  const [shares, uploads] = [await listShares(), await listUploads()];
  const me = actor.user.id;
  const open = shares.filter(({ texts }) => texts !== undefined);
  const allowed = () => undefined;
  if (operation.kind === 'send') {
    const upload = pick(uploads, operation.target);
    return upload && send(upload, operation.isWhole);
  }
  if (operation.kind === 'put' && typeof operation.what === 'object' && 'sent' in operation.what) {
    const share = pick(open, operation.target);
    if (share) await sendFor(share, operation.what.sent);
  }
  return runUntil(operation.point, async () => {
    if (operation.kind === 'start') {
      const share = operation.target === null ? undefined : pick(open, operation.target);
      const names = namesOf(some(operation.paths));
      return createUpload(me, names, share && (await knownOf(share)), recorder);
    }
    if (operation.kind === 'sent') {
      const parts = Object.entries(some(operation.paths));
      const sent = new SentFiles(
        parts.map(([path, text]) => new FilePart(path, Buffer.from(text))),
      );
      return create(actor, { files: { sent }, useRandomPassword: false }, recorder);
    }
    const upload = pick(uploads, operation.target);
    if (operation.kind === 'extend' && upload) {
      const names = namesOf(some(operation.paths));
      const find = async (id: string) => knownOf((await loadShare(id)).share);
      return extendUpload(me, upload.id, names, find, recorder);
    }
    if (operation.kind === 'create' && upload) {
      return create(actor, { files: { upload: upload.id }, useRandomPassword: false }, recorder);
    }
    if (operation.kind === 'drop' && upload) return deleteUpload(me, upload.id, recorder);
    const share = pick(open, operation.target);
    if (!share) return undefined;
    const { id } = share;
    if (operation.kind === 'put') {
      const { what } = operation;
      const asked = async ({ share: current }: { share: StoredShare }) =>
        toChange(current, what, await listUploads());
      return change(id, asked, allowed, recorder, actor);
    }
    if (operation.kind === 'restore') {
      const version = pick(await loadRevisions(id), operation.nth)?.version ?? 1;
      const asked = async ({ share: current }: { share: StoredShare }) => ({
        ...(await restoreRevision(current, version)),
        useRandomPassword: false,
      });
      return change(id, asked, allowed, recorder, actor);
    }
    if (operation.kind === 'remove')
      return deleteShare(id, allowed, { user: actor.user, recorder });
    return operation.kind === 'end' && closeShare(actor.user, () => loadShare(id), recorder);
  });
};

/** What a request may be refused with, or die of; anything else is a fault of ours. */
const isRefused = (reason: unknown): void => {
  if (reason instanceof Crash || (reason instanceof Error && reason.cause instanceof Crash)) return;
  if (!(reason instanceof AppError)) throw reason;
  expect(reason.code).not.toBe('INTERNAL_ERROR');
};

/** Returns the keys of the objects that the lists of all shares have. */
const listListed = async (shares: readonly StoredShare[]): Promise<ReadonlySet<string>> => {
  const keys = new Set<string>();
  for (const { id, files } of shares) {
    if (!files) continue;
    const manifest = await loadManifest(id, files);
    expect(manifest, 'the list of the record').toBeDefined();
    for (const { object } of [...(manifest?.files ?? []), ...(manifest?.former ?? [])]) {
      if (object !== undefined) keys.add(getObjectKey(id, object));
    }
  }
  return keys;
};

/** Every object of a revision is listed as long as the revision is there. None is too many: the quota is smaller. */
const verifyRevisions = async (
  shares: readonly StoredShare[],
  listed: ReadonlySet<string>,
): Promise<void> => {
  for (const { id, hasRevisions } of shares) {
    if (!hasRevisions) continue;
    for (const revision of await loadRevisions(id)) {
      const { version, files } = revision;
      if (!files || getExpiry(revision) <= Date.now()) continue;
      const manifest = await loadRevisionManifest(id, version, files);
      for (const { object } of manifest?.files ?? []) {
        if (object !== undefined) expect(listed).toContain(getObjectKey(id, object));
      }
    }
  }
};

/** Every listed object is there, whatever isn't listed is going to be pruned, and storage is counted exactly. */
const verify = async (): Promise<void> => {
  const [shares, uploads] = [await listShares(), await listUploads()];
  const [listed, there] = [await listListed(shares), new Set(await objectsOf())];
  for (const key of listed) expect(there).toContain(key);
  await verifyRevisions(shares, listed);
  const pruned = (await itemsOf('SHARES#PRUNE#')).map(({ id }) => id);
  const jobs = JSON.stringify(await itemsOf('OUTBOX#'));
  for (const key of there) {
    const [, id = ''] = key.split('/');
    if (!listed.has(key)) expect(pruned.includes(id) || jobs.includes(id), key).toBe(true);
  }
  const used = [
    ...shares.map(({ files }) => (files?.bytes ?? 0) + (files?.formerBytes ?? 0)),
    ...uploads.map(({ bytes }) => bytes),
  ].reduce((sum, bytes) => sum + bytes, 0);
  expect(await usageOf(actor.user.id)).toEqual({ used, uploads: uploads.length });
  expect(used).toBeLessThanOrEqual(quota);
  expect(uploads.length).toBeLessThanOrEqual(5);
};

/** Returns the keys of what was sent for uploads that can be used. */
const listSent = async (): Promise<readonly string[]> => {
  const open = (await listShares()).filter(({ texts }) => texts !== undefined);
  const usable = (await listUploads()).filter(
    ({ shareId, ofExisting }) => !ofExisting || open.some(({ id }) => id === shareId),
  );
  const prefixes = usable.map(getUploadPrefix);
  return (await objectsOf()).filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
};

/** Lets time pass, with what is due then. What was sent for an upload stays as long as that. */
const wait = async (ms: number): Promise<void> => {
  const sent = await listSent();
  pass(ms);
  for (let run = 0; run < 2; run++) {
    await runMinute();
    await runJobs();
  }
  const after = (await listUploads()).map(getUploadPrefix);
  const kept = sent.filter((key) => after.some((prefix) => key.startsWith(prefix)));
  const ended = (await listShares()).filter(({ texts }) => !texts).map(({ id }) => id);
  const expected = kept.filter((key) => !ended.some((id) => key.includes(id)));
  expect(await objectsOf()).toEqual(expect.arrayContaining(expected));
};

describe('files of shares under concurrent operations that crash, in any order', () => {
  it('are there while they are listed, and gone after that, with what they take', async () => {
    vi.stubEnv('FILES_QUOTA', '2KB');
    const Round = fc.record({
      operations: fc.array(Operation, { minLength: 1, maxLength: 4 }),
      hours: fc.constantFrom(0, 0, 1, 3, 26, 31 * 24),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(Round, { minLength: 3, maxLength: 14 }), async (rounds) => {
        await startAnew();
        await act({ kind: 'sent', paths: ['index.html', 'a.css', 'b.css'], point: undefined });
        for (const { operations, hours } of rounds) {
          const outcomes = await Promise.allSettled(operations.map(act));
          for (const one of outcomes) if (one.status === 'rejected') isRefused(one.reason);
          await verify();
          if (hours > 0) await wait(hours * hourMs);
          await verify();
        }
        for (let days = 0; days < 3; days++) await wait(27 * hourMs);
        const shares = await listShares();
        expect(new Set(await objectsOf())).toEqual(await listListed(shares));
        expect(await listUploads()).toEqual([]);
        for (const { id } of shares) await deleteShare(id, () => undefined);
        await wait(61_000);
        expect(await objectsOf()).toEqual([]);
        expect(await usageOf(actor.user.id)).toEqual({ used: 0, uploads: 0 });
      }),
      { numRuns: 40, interruptAfterTimeLimit: 90_000 },
    );
    vi.unstubAllEnvs();
  });
});
