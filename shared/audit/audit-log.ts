import { randomBytes } from 'node:crypto';
import type { Actor } from '../auth/actor.ts';
import { keys } from '../db/table.ts';
import { createItemWrite, transact, type Write } from '../db/transaction.ts';
import { getSetting } from '../runtime/settings.ts';

/** Fields of a record that anybody may read who reads the audit: never a hash, a token or a password. */
type Fields = Readonly<Record<string, unknown>>;

/** What a change did, and to what. */
export interface AuditedChange {
  /** Such as `user:244212480000000`. */
  readonly subject: string;
  /** The fields that changed, as they were and as they are. */
  readonly before?: Fields | undefined;
  readonly after?: Fields | undefined;
  /** Who did it, where the request itself does not say, as at a login. */
  readonly actorId?: number | undefined;
  /** What was done, where it is not what the route is for, such as a login that was refused. */
  readonly action?: string | undefined;
}

/** What the audit keeps of a change, without its keys. */
export interface AuditEntry extends AuditedChange {
  readonly id: string;
  /** What was done, such as `user.update`: the route says it. */
  readonly action: string;
  /** ISO 8601. */
  readonly at: string;
  readonly address: string;
  readonly requestId: string;
}

/** Who makes a change, as far as the audit tells. */
interface Author {
  readonly user: Pick<Actor['user'], 'id'>;
}

const maxTextLength = 200;

const shorten = (value: unknown): unknown =>
  typeof value === 'string' && value.length > maxTextLength
    ? `${value.slice(0, maxTextLength)}…`
    : value;

const shortened = (fields: Fields | undefined): Fields | undefined =>
  fields &&
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shorten(value)]));

/** The fields of two states of a record that differ, as they were and as they are; only those that are named. */
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

/**
 * One request's change: who makes it, and what the route calls it. The writes that note it down go into the transaction
 * that makes it, so that there is no change without its entry and no entry without its change.
 */
export class AuditRecorder {
  readonly #action: string;
  readonly #actor: Author | undefined;
  readonly #origin: { readonly address: string; readonly requestId: string };
  /** Marks the request's Idempotency-Key as used, with what was made. */
  readonly #repeat: ((subject: string) => Write) | undefined;

  constructor(
    action: string,
    actor: Author | undefined,
    origin: { readonly address: string; readonly requestId: string },
    repeat?: (subject: string) => Write,
  ) {
    this.#action = action;
    this.#actor = actor;
    this.#origin = origin;
    this.#repeat = repeat;
  }

  #entry({
    subject,
    before,
    after,
    actorId = this.#actor?.user.id,
    action = this.#action,
  }: AuditedChange): AuditEntry {
    const at = new Date().toISOString();
    const id = randomBytes(6).toString('base64url');
    const { address, requestId } = this.#origin;
    return {
      id,
      action,
      subject,
      at,
      actorId,
      address,
      requestId,
      before: shortened(before),
      after: shortened(after),
    };
  }

  #items(done: AuditedChange) {
    const entry = this.#entry(done);
    const ttl = Math.ceil((Date.now() + getSetting('AUDIT_KEEP') + dayMs) / 1_000);
    const item = { ...entry, ttl };
    const { at, id, actorId, subject } = entry;
    const ofActor = actorId === undefined ? undefined : keys.auditOfActor(actorId, at, id);
    return {
      main: {
        key: keys.audit(at, id),
        item: { ...item, ...(ofActor && { gsi1pk: ofActor.pk, gsi1sk: ofActor.sk }) },
      },
      ofSubject: { key: keys.auditOfSubject(subject, at, id), item },
    };
  }

  /** The writes that note the change down, for its transaction. */
  writes(
    done: AuditedChange,
  ): Readonly<Record<'audit' | 'auditOfSubject' | 'repeat', Write | undefined>> {
    const { main, ofSubject } = this.#items(done);
    return {
      audit: createItemWrite(main.key, main.item),
      auditOfSubject: createItemWrite(ofSubject.key, ofSubject.item),
      repeat: this.#repeat?.(done.subject),
    };
  }

  /**
   * Notes down what changed nothing, such as a login that was refused: in both places or in none.
   * @throws what `transact` throws
   */
  async record(done: AuditedChange): Promise<void> {
    const { audit, auditOfSubject } = this.writes(done);
    await transact({ audit, auditOfSubject });
  }
}

/** One request's change. */
export const createAuditRecorder = (
  ...of: ConstructorParameters<typeof AuditRecorder>
): AuditRecorder => new AuditRecorder(...of);

/** The change of what runs without a request, such as a job or a command: nobody is its actor. */
export const systemAudit = (action: string): AuditRecorder =>
  new AuditRecorder(action, undefined, { address: '', requestId: '' });

/** The change of a job that goes on with what a user has asked for: the user is its actor. */
export const userAudit = (action: string, userId: number): AuditRecorder =>
  new AuditRecorder(action, { user: { id: userId } }, { address: '', requestId: '' });
