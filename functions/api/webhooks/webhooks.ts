import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { createId } from '../../../shared/db/ids.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { nextVersion } from '../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/content/etag.ts';
import type { SessionActor } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { alertWrite } from '../users/record/security-alert.ts';
import { audited } from './record/audit.ts';
import { changeSteps, deleteEnded } from './record/changes.ts';
import { type Owner, readOne, readOwner } from './record/owner.ts';
import { bothValidMs, createSecret } from './record/signature.ts';
import {
  getHost,
  isActive,
  maxWebhooks,
  nothingFailed,
  type StoredWebhook,
} from './record/webhook.ts';

/** What people choose of a webhook. */
export interface WebhookFields extends Pick<StoredWebhook, 'url' | 'events' | 'format'> {
  readonly label: string | null;
  readonly active: boolean;
}

type Edit = (webhook: StoredWebhook) => {
  readonly [F in keyof WebhookFields]?: WebhookFields[F] | undefined;
};

const retryOnConflict = createRetry('Your webhooks are being changed. Try again.');

export const notFound = () => new AppError('NOT_FOUND', 'Webhook not found.');

const tooManyError = () =>
  new AppError('CONFLICT', `You can have up to ${maxWebhooks} webhooks. Delete one first.`);

/** @throws AppError CONFLICT if another webhook of the user has the address: each event would be sent there several times */
const assertOnlyOne = ({ webhooks }: Owner, url: string, id?: number): void => {
  if (!webhooks.some((one) => one.url === url && one.id !== id)) return;
  throw new AppError('CONFLICT', 'You have a webhook with this address already.', {
    details: [{ field: 'url', message: 'must be an address that none of your webhooks has' }],
  });
};

/**
 * Asserts that the service has webhooks.
 * @throws AppError CONFLICT
 */
export const assertOn = (): void => {
  if (getSetting('WEBHOOKS') === 'on') return;
  throw new AppError('CONFLICT', 'Webhooks are switched off here (the setting WEBHOOKS).');
};

/** Lists a user's webhooks, the newest first. */
export const list = async (userId: number): Promise<readonly StoredWebhook[]> =>
  (await readOwner(userId))?.webhooks ?? [];

/**
 * Reads a webhook of a user.
 * @throws AppError NOT_FOUND
 */
export const get = async (userId: number, id: number): Promise<StoredWebhook> => {
  const found = await readOne(userId, id);
  if (!found) throw notFound();
  return found.webhook;
};

/** @throws AppError NOT_FOUND */
const findOwn = async (
  userId: number,
  id: number,
): Promise<{ readonly owner: Owner; readonly before: StoredWebhook }> => {
  const owner = await readOwner(userId);
  const before = owner?.webhooks.find((one) => one.id === id);
  if (!owner || !before) throw notFound();
  return { owner, before };
};

/**
 * Creates a webhook, whose secret is shown only now, and tells its owner by a security alert.
 * @throws AppError CONFLICT if there are 20, one has the address, or webhooks are off
 */
export const create = (
  actor: SessionActor,
  { label, active, ...fields }: WebhookFields,
  recorder: ChangeRecorder,
): Promise<StoredWebhook> =>
  retryOnConflict(async () => {
    assertOn();
    const owner = await readOwner(actor.user.id);
    if (!owner) throw notFound();
    if (owner.webhooks.length >= maxWebhooks) throw tooManyError();
    assertOnlyOne(owner, fields.url);
    await deleteEnded(owner);
    const now = new Date().toISOString();
    const webhook: StoredWebhook = {
      id: createId(),
      userId: owner.user.id,
      ...fields,
      ...(label !== null && { label }),
      ...(!active && { pausedBy: 'owner' }),
      secret: createSecret(),
      epoch: owner.user.tokenEpoch ?? 0,
      createdAt: now,
      updatedAt: now,
      version: 1,
    };
    const refused = await transact([
      ...changeSteps(owner, undefined, webhook),
      alertWrite(owner.user, 'webhook-created', { token: getHost(webhook) }),
      ...recorder.steps(audited(undefined, webhook)),
    ]);
    return refused ? undefined : webhook;
  });

/** Returns what a change of fields stores. Another address, and a resumed webhook, begin without failures. */
const toStored = (before: StoredWebhook, { label, active, ...fields }: ReturnType<Edit>) => ({
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  ...(label !== undefined && { label: label ?? undefined }),
  ...(active === true && !isActive(before) && { pausedBy: undefined, ...nothingFailed }),
  ...(active === false && isActive(before) && { pausedBy: 'owner' as const }),
  ...(fields.url !== undefined && { ...nothingFailed, succeededAt: undefined }),
});

/**
 * Changes a webhook. `edit` returns the changed fields of the current one; it runs again after a concurrent write and can throw.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT if webhooks are off, or another one has the address
 */
export const update = (
  userId: number,
  id: number,
  edit: Edit,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredWebhook> =>
  retryOnConflict(async () => {
    const { owner, before } = await findOwn(userId, id);
    assertVersion(ifMatch, before.version);
    const edited = edit(before);
    const fields = toStored(before, edited);
    if (Object.keys(fields).length === 0) return before;
    if (edited.url !== undefined) assertOnlyOne(owner, edited.url, id);
    if ('pausedBy' in fields && fields.pausedBy === undefined) assertOn();
    const after = nextVersion(before, fields);
    const refused = await transact([
      ...changeSteps(owner, before, after),
      ...recorder.steps(audited(before, after)),
    ]);
    return refused ? undefined : after;
  });

/**
 * Gives a webhook another secret, which is shown only now. Requests are signed by the former one, too, for 24 hours.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const renewSecret = (
  userId: number,
  id: number,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredWebhook> =>
  retryOnConflict(async () => {
    const { owner, before } = await findOwn(userId, id);
    assertVersion(ifMatch, before.version);
    const until = new Date(Date.now() + bothValidMs).toISOString();
    const after = nextVersion(before, {
      secret: createSecret(),
      formerSecret: { secret: before.secret, until },
    });
    const refused = await transact([
      ...changeSteps(owner, before, after),
      ...recorder.steps({ ...audited(before, before), after: { formerSecretUntil: until } }),
    ]);
    return refused ? undefined : after;
  });

/**
 * Deletes a webhook, and by a job its deliveries.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const remove = async (
  userId: number,
  id: number,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<void> => {
  await retryOnConflict(async () => {
    const { owner, before } = await findOwn(userId, id);
    assertVersion(ifMatch, before.version);
    const refused = await transact([
      ...changeSteps(owner, before, undefined),
      ...recorder.steps(audited(before, undefined)),
    ]);
    return refused ? undefined : true;
  });
};
