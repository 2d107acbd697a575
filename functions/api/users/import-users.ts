import * as z from 'zod';
import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { assertStepUp } from '../../../shared/auth/step-up.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { describeIssue, describeIssues } from '../../../shared/input/validation-messages.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import type { CustomRoles } from '../../../shared/permissions/roles.ts';
import { forEachAtOnce } from '../../../shared/runtime/at-once.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { AppError, type ErrorDetail } from '../../../shared/runtime/errors.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { getTimeLeft } from '../../../shared/runtime/time-left.ts';
import { assertCanGrantRole, assertRoleExists, readRolesFrom } from './grants.ts';
import { type ImportField, importFields, toFields } from './import/file.ts';
import type { ImportedLine, ImportUsersInput } from './import/schemas.ts';
import { CreateUserInput } from './input.ts';
import { type AllowedUser, checkNewUser, createAllowed } from './new-user.ts';
import { assertAllowedDomain } from './record/allowed-domains.ts';
import { accountKeys } from './record/keys.ts';

type Given = z.output<typeof ImportUsersInput>['users'][number];
type Line = z.output<typeof ImportedLine>;

/** A line that is checked: what would be created, or what is wrong. */
interface Checked {
  readonly line: number;
  readonly email: string | null;
  readonly allowed?: AllowedUser;
  readonly problems: readonly ErrorDetail[];
}

/** How many users are created at once: all change the same counters. */
const concurrency = 4;

/** Time in ms that a user takes at most. Without it, no other one is begun. */
const leastMs = 6_000;

const { password: _, ...fields } = CreateUserInput.shape;
const ImportedUser = z.object(fields);

/** Returns what a check refuses, about a field if it names none itself. */
const findProblems = (field: ImportField, check: () => unknown): readonly ErrorDetail[] => {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.details.length > 0 ? error.details : [{ field, message: error.message }];
  }
};

/** Returns the texts of a line that aren't empty. */
const toRow = (given: Given): Parameters<typeof toFields>[0] =>
  Object.fromEntries(
    importFields.flatMap((field) => {
      const text = given[field]?.trim() ?? '';
      return text === '' ? [] : [[field, text]];
    }),
  );

const checkLine = (actor: Actor, given: Given, line: number, roles: CustomRoles): Checked => {
  const row = toRow(given);
  const options = { reportInput: true, error: describeIssue };
  const { data: input, error } = ImportedUser.safeParse(toFields(row), options);
  if (!input) {
    const details = describeIssues(error?.issues ?? [], 'line');
    const problems = details.map(({ field, message }) => ({
      field: field.split('.', 1).join(),
      message,
    }));
    return { line, email: row.email ?? null, problems };
  }
  const { email, role = 'user' } = input;
  const problems = [
    ...findProblems('email', () => assertAllowedDomain(email)),
    ...findProblems('role', () => {
      assertRoleExists(role ?? 'user', roles);
      assertCanGrantRole(actor, role ?? 'user', roles);
    }),
  ];
  if (problems.length > 0) return { line, email, problems };
  let allowed: AllowedUser | undefined;
  const others = findProblems('permissions', () => {
    allowed = checkNewUser(actor, input, roles);
  });
  return { line, email, problems: others, ...(allowed && { allowed }) };
};

/** Adds what is wrong with lines that repeat an address or a username of one before. */
const withoutRepeated = (lines: readonly Checked[]): readonly Checked[] => {
  const seen = new Map<string, number>();
  return lines.map((one) => {
    const { line, allowed } = one;
    if (!allowed) return one;
    const { email, username } = allowed.input;
    const values: readonly [field: string, value: string][] = [
      ['email', email],
      ...(username == null ? [] : [['username', username.toLowerCase()] as [string, string]]),
    ];
    const problems = values.flatMap(([field, value]) => {
      const first = seen.get(`${field} ${value}`);
      if (first === undefined) seen.set(`${field} ${value}`, line);
      return first === undefined ? [] : [{ field, message: `is already on line ${first}` }];
    });
    return problems.length > 0 ? { line, email: one.email, problems } : one;
  });
};

const toInvalid = ({ line, email }: Checked, problems: readonly ErrorDetail[]): Line => ({
  line,
  email,
  result: 'invalid',
  id: null,
  problems: [...problems],
});

const taken = 'is already taken';

/**
 * Returns what is known of the lines without creating users: in two batches of reads for any number. `showsIds` says whether
 * the actor may know whose an address is.
 */
const findKnown = async (
  lines: readonly Checked[],
  showsIds: boolean,
): Promise<readonly (Line | undefined)[]> => {
  const inputs = lines.map(({ allowed }) => allowed?.input);
  const [emails, usernames] = await Promise.all([
    batchGet(inputs.flatMap((input) => (input ? accountKeys.email.at(input) : []))),
    batchGet(
      inputs.flatMap((input) =>
        input?.username == null ? [] : accountKeys.username.at({ username: input.username }),
      ),
    ),
  ]);
  const [nextEmail, nextUsername] = [emails.values(), usernames.values()];
  return lines.map((one, at) => {
    const input = inputs[at];
    if (!input) return toInvalid(one, one.problems);
    const marker = nextEmail.next().value;
    const username = input.username == null ? undefined : nextUsername.next().value;
    const { line, email } = one;
    const id = marker?.['userId'];
    if (typeof id === 'number') {
      return { line, email, result: 'exists', id: showsIds ? id : null, problems: [] };
    }
    // A former address is held for its owner for some days.
    const isHeld = String(marker?.['heldUntil'] ?? '') > new Date().toISOString();
    if (isHeld) return toInvalid(one, [{ field: 'email', message: 'is already registered' }]);
    return username ? toInvalid(one, [{ field: 'username', message: taken }]) : undefined;
  });
};

/** Creates the user of a line. What fails says so, and stops no other. */
const createLine = async (
  one: Checked & { readonly allowed: AllowedUser },
  recorder: ChangeRecorder,
): Promise<Line> => {
  const { line, email, allowed } = one;
  const left: Line = { line, email, result: 'left', id: null, problems: [] };
  if (getTimeLeft() < leastMs) return left;
  try {
    const { user, invitation } = await createAllowed(allowed, recorder);
    const { link } = invitation ?? {};
    const created = { line, email, result: 'created' as const, id: user.id, problems: [] };
    return link === undefined ? created : { ...created, link };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) {
      // Someone else may have created the user since it was looked for.
      const isThere = error.code === 'CONFLICT' && error.details[0]?.field === 'email';
      return isThere
        ? { line, email, result: 'exists', id: null, problems: [] }
        : toInvalid(one, error.details);
    }
    getLogger().error('User import line failed', { error: serializeError(error) });
    return left;
  }
};

/**
 * Creates the users of these lines, each in a transaction of its own, or says what would be created. Lines whose address a
 * user has are left alone (decisions.md#imports-of-users).
 * @throws AppError REAUTHENTICATION_REQUIRED if a user to create gets rights beyond those of any user
 */
export const importUsers = async (
  actor: Actor,
  given: readonly Given[],
  isDryRun: boolean,
  recorder: ChangeRecorder,
): Promise<Line[]> => {
  const names = new Set(given.flatMap(({ role }) => role?.trim() || []));
  const roles = await readRolesFrom(actor, ...names);
  const checked = withoutRepeated(
    given.map((one, at) => checkLine(actor, one, one.line ?? at + 1, roles)),
  );
  const mayView = can(actor.permissions, 'users:view');
  // A dry run leaves no trace, so it tells who exists only to those who may list them.
  const known =
    isDryRun && !mayView
      ? checked.map((one) => (one.allowed ? undefined : toInvalid(one, one.problems)))
      : await findKnown(checked, mayView);
  const results = new Map(known.flatMap((line, at) => (line ? [[at, line]] : [])));
  const fresh = [...checked.entries()].flatMap(([at, one]) => {
    const { allowed } = one;
    return allowed && !results.has(at) ? [{ at, one: { ...one, allowed } }] : [];
  });
  if (isDryRun) {
    for (const { at, one } of fresh) {
      const { line, email } = one;
      results.set(at, { line, email, result: 'new', id: null, problems: [] });
    }
  } else {
    const givesRights = fresh.some(({ one }) => !one.allowed.isLeast);
    if (givesRights) assertStepUp(actor, 'The new users get rights.');
    await forEachAtOnce(fresh, concurrency, async ({ at, one }) => {
      results.set(at, await createLine(one, recorder));
    });
  }
  return checked.flatMap((_, at) => results.get(at) ?? []);
};
