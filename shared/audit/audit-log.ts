import type { ActorToken, Via } from '../auth/actor.ts';
import { createRandomText } from '../db/ids.ts';
import { itemParser } from '../db/item-parser.ts';
import { createItemWrite, type Step, transact, type Write } from '../db/transaction.ts';
import { getSetting } from '../runtime/settings.ts';
import { auditKeys } from './keys.ts';

/** Fields that everyone with access to the audit log may read: never a hash, a token or a password. */
type Fields = Readonly<Record<string, unknown>>;

/** What a change did, and to what. */
export interface AuditedChange {
  /** Such as `user:244212480000000`. */
  readonly subject: string;
  /** What was created, if not the subject: repeated requests name it. It isn’t logged. */
  readonly created?: string | undefined;
  /** What the subject is called. Of a user, the name that is shown once the user is deleted. */
  readonly subjectName?: string | undefined;
  /** The changed fields before and after the change. */
  readonly before?: Fields | undefined;
  readonly after?: Fields | undefined;
  /** The actor, if not the caller, such as at sign-in. */
  readonly actor?: Named | undefined;
  /** The action, if not the route's, such as a failed sign-in. */
  readonly action?: string | undefined;
}

/** An audit entry as stored, without keys. */
export interface AuditEntry extends Omit<AuditedChange, 'created' | 'actor'> {
  readonly id: string;
  readonly actorId?: number | undefined;
  /** What the actor was called. */
  readonly actorName?: string | undefined;
  /** The action, such as `user.update`. */
  readonly action: string;
  /** ISO 8601. */
  readonly at: string;
  readonly address: string;
  readonly requestId: string;
  /** The API token that the actor used, by the name that it had. */
  readonly token?: { readonly id: number; readonly name: string } | undefined;
  /** The assistant that called in the actor's name, and its tool. */
  readonly via?: Via | undefined;
}

/** A user as an entry names them. Jobs know only the id. */
interface Named {
  readonly id: number;
  readonly name?: string;
}

/** Who makes a change. */
interface Author {
  readonly user: Named;
  readonly token?: Pick<ActorToken, 'id' | 'name'>;
  readonly via?: Via;
}

/** Parses a stored audit entry. */
export const parseAuditEntry = itemParser<AuditEntry>('audit entry', [
  'id',
  'action',
  'subject',
  'at',
]);

const maxTextLength = 200;

const shorten = <Value>(value: Value): Value | string =>
  typeof value === 'string' && value.length > maxTextLength
    ? `${value.slice(0, maxTextLength)}…`
    : value;

const shortened = (fields: Fields | undefined): Fields | undefined =>
  fields &&
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shorten(value)]));

/** Returns the named fields that differ between two states of a record, before and after. */
export const changedFields = <T extends object>(
  before: T,
  after: T,
  names: readonly (keyof T & string)[],
): { readonly before: Fields; readonly after: Fields } => {
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (record: T) =>
    Object.fromEntries(changed.map((name) => [name, record[name] ?? null]));
  return { before: pick(before), after: pick(after) };
};

const dayMs = 86_400_000;

/** Creates the step that marks an Idempotency-Key as used by a subject (`shared/http/idempotency`). */
export type CreateMarker = (subject: string) => Step;

/**
 * What every change writes with it: its audit entry, and the marker of the request's Idempotency-Key. They go into the
 * transaction of the change, so that none exists without the others.
 */
export class ChangeRecorder {
  readonly #action: string;
  readonly #actor: Author | undefined;
  readonly #origin: { readonly address: string; readonly requestId: string };
  readonly #createMarker: CreateMarker | undefined;

  constructor(
    action: string,
    actor: Author | undefined,
    origin: { readonly address: string; readonly requestId: string },
    createMarker?: CreateMarker,
  ) {
    this.#action = action;
    this.#actor = actor;
    this.#origin = origin;
    this.#createMarker = createMarker;
  }

  #entry({
    subject,
    subjectName,
    before,
    after,
    actor = this.#actor?.user,
    action = this.#action,
  }: AuditedChange): AuditEntry {
    const at = new Date().toISOString();
    const id = createRandomText(6);
    const { address, requestId } = this.#origin;
    const { token, via } = this.#actor ?? {};
    return {
      id,
      action,
      subject,
      subjectName: shorten(subjectName),
      at,
      actorId: actor?.id,
      actorName: actor?.name,
      address,
      requestId,
      ...(token && { token: { id: token.id, name: token.name } }),
      ...(via && { via }),
      before: shortened(before),
      after: shortened(after),
    };
  }

  #writes(done: AuditedChange): readonly Write[] {
    const entry = this.#entry(done);
    const ttl = Math.ceil((Date.now() + getSetting('AUDIT_KEEP') + dayMs) / 1_000);
    const item = { ...entry, ttl };
    const { at, id, actorId, subject } = entry;
    const ofActor = actorId === undefined ? undefined : auditKeys.byActor.at({ actorId, at, id });
    return [
      createItemWrite(auditKeys.entry.at({ at, id }), {
        ...item,
        ...(ofActor && { gsi1pk: ofActor.pk, gsi1sk: ofActor.sk }),
      }),
      createItemWrite(auditKeys.bySubject.at({ subject, at, id }), item),
    ];
  }

  /** Creates the steps for the transaction of the change. The marker names what was created. */
  steps(done: AuditedChange): readonly Step[] {
    const marker = this.#createMarker?.(done.created ?? done.subject);
    return [...this.#writes(done).map((write) => ({ write })), ...(marker ? [marker] : [])];
  }

  /**
   * Records an event that changed nothing, such as a failed sign-in, in its own transaction.
   * @throws what `transact` throws
   */
  async record(done: AuditedChange): Promise<void> {
    await transact(this.#writes(done));
  }
}

/** Creates the recorder of a request's change. */
export const createChangeRecorder = (
  ...of: ConstructorParameters<typeof ChangeRecorder>
): ChangeRecorder => new ChangeRecorder(...of);

/** Creates the recorder of a job or command that runs without a user. */
export const systemRecorder = (action: string): ChangeRecorder =>
  new ChangeRecorder(action, undefined, { address: '', requestId: '' });

/** Creates the recorder of a job that continues a user's request. */
export const userRecorder = (action: string, userId: number): ChangeRecorder =>
  new ChangeRecorder(action, { user: { id: userId } }, { address: '', requestId: '' });
