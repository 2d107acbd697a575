import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import {
  exampleUser,
  OwnUser,
  type StoredUser,
  toOwnUser,
  toUser,
  User,
} from '../../../shared/auth/user.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import {
  Done,
  examplePage,
  Paginated,
  paginated,
  Success,
  success,
} from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { type PageRequest, skipsNothing } from '../../../shared/lists/pagination.ts';
import * as administration from './administration.ts';
import { directoryRoute } from './directory.ts';
import { exportRoutes } from './export-route.ts';
import { readRolesFrom } from './grants.ts';
import { importRoute } from './import-route.ts';
import { CreateUserInput, UpdateProfileInput, UpdateUserInput } from './input.ts';
import { resendInvitation } from './invitation.ts';
import { leavingRoutes } from './leaving-routes.ts';
import { newEmailLimits, ownPasswordLimit } from './limits.ts';
import { find, load } from './list.ts';
import { assertKnownRole, toFilter, UserQuery } from './list-query.ts';
import { createUser, replayUser } from './new-user.ts';
import { exportRoutes as ownExportRoutes } from './own-export-routes.ts';
import { belongingsRoute, ownBelongingsRoute } from './owned-counts.ts';
import * as users from './record/users.ts';
import { roleRoutes } from './role-routes.ts';

const UserPage = Paginated(User).meta({
  id: 'UserPage',
  examples: [examplePage(exampleUser)],
});

/** The array form of the user list (decisions.md#envelopes). */
const UserArray = z
  .object({
    success: z.literal(true),
    data: z.array(User),
    pagination: z.object({
      page: z.int(),
      limit: z.int(),
      total: z.int(),
      totalIsExact: z.boolean(),
      totalPages: z.int(),
      nextCursor: z.string().nullable(),
    }),
  })
  .meta({
    id: 'UserArray',
    examples: [
      {
        success: true,
        data: [exampleUser],
        pagination: {
          page: 1,
          limit: 10,
          total: 1,
          totalIsExact: true,
          totalPages: 1,
          nextCursor: null,
        },
      },
    ],
  });

const DeletedUser = Success(
  z.object({
    id: z.int().positive(),
    pending: z.literal(true).optional().meta({
      description:
        'Present while the user’s records are still being deleted or transferred. No one can read them until then.',
    }),
  }),
).meta({
  id: 'DeletedUser',
  examples: [{ success: true, data: { id: exampleUser.id }, message: 'Deleted' }],
});

const link = z.url().optional().meta({
  description:
    'Only if email is disabled: the link for setting a password, valid once and for 7 days. Pass it on to the user only. While passwords are off, the address of the sign-in page.',
});

const InvitationResult = Done.extend({ link }).meta({
  id: 'InvitationResult',
  examples: [{ success: true, data: {}, message: 'Invitation sent' }],
});

const CreatedUserResponse = Success(User)
  .extend({ link })
  .meta({
    id: 'CreatedUserResponse',
    examples: [{ success: true, data: exampleUser, message: 'Created' }],
  });

const show = async (actor: Actor, user: StoredUser): Promise<User> =>
  toUser(user, await readRolesFrom(actor, user.role));

const getVersion = ({ data }: { readonly data: Pick<User, 'version'> }) => data.version;

/** Returns whether a query asks for the array form: with `limit` or `search`, and without `pageSize` (decisions.md#envelopes). */
const wantsArray = ({ limit, search, pageSize }: PageRequest & { search?: unknown }): boolean =>
  (limit !== undefined || search !== undefined) && pageSize === undefined;

export const routes = [
  route({
    endpoint: 'GET /api/users',
    access: 'users:view',
    summary: 'List users',
    description:
      'Returns users, newest first. The filters `role`, `status` and `search` can be combined. With `limit` or `search`, and without `pageSize`, the users are in an array directly under `data`.',
    query: UserQuery,
    output: z.union([UserPage, UserArray]).meta({ id: 'UserPageOrArray' }),
    readAhead: (userId, query) => {
      const filter = toFilter(query);
      const isAll = !filter.search && !filter.role && !filter.status;
      return isAll && skipsNothing(query) ? find(userId, filter, query) : undefined;
    },
    handle: async ({ actor, query, ahead }) => {
      const [found] = await Promise.all([
        ahead ?? find(actor.user.id, toFilter(query), query),
        assertKnownRole(actor, query.role),
      ]);
      const page = await load(found);
      const roles = await readRolesFrom(actor, ...page.items.map((user) => user.role));
      const envelope = paginated(page, (user) => toUser(user, roles));
      if (!wantsArray(query)) return envelope;
      const { items, pageSize: limit, ...pagination } = envelope.data;
      return { success: true as const, data: items, pagination: { ...pagination, limit } };
    },
  }),
  route({
    endpoint: 'GET /api/users/me',
    access: 'signed-in',
    scope: 'profile:view',
    isForUnverified: true,
    isForLeaving: true,
    summary: 'Get your profile',
    description: 'Returns your account with your effective permissions.',
    output: Success(OwnUser),
    versionOf: getVersion,
    handle: async ({ actor }) => success(toOwnUser(actor.user, actor.roles)),
  }),
  route({
    endpoint: 'PUT /api/users/me',
    access: 'signed-in',
    scope: 'profile:update',
    summary: 'Update your profile',
    description:
      'Changes only the fields you send; `null` clears an optional one. Changing the email address requires `currentPassword`, and API tokens can’t. Where email is on, the new address waits in `pendingEmail` until the link sent to it is confirmed; then a former address that was verified gets a link that undoes the change.',
    body: UpdateProfileInput,
    output: Success(OwnUser),
    errors: {
      FORBIDDEN:
        'An API token is used to change the email address; with the code `REAUTHENTICATION_REQUIRED`, you have a second factor and must prove it for that.',
      CONFLICT: 'The email address or username is already in use.',
    },
    limits: [ownPasswordLimit, ...newEmailLimits],
    auditAction: 'user.update',
    versionOf: getVersion,
    handle: async ({ actor, body, ifMatch, recorder }) => {
      const user = await administration.updateProfile(actor, body, ifMatch, recorder);
      const isWaiting = user.pendingEmail !== undefined && user.pendingEmail === body.email;
      const message = isWaiting
        ? 'Saved. Confirm the new address by the link sent to it.'
        : 'Saved';
      return success(toOwnUser(user, actor.roles), message);
    },
  }),
  ...leavingRoutes,
  ownBelongingsRoute,
  directoryRoute,
  ...ownExportRoutes,
  ...exportRoutes,
  route({
    endpoint: 'GET /api/users/{id}',
    access: 'users:view',
    summary: 'Get a user',
    params: z.object({ id: RecordId }),
    output: Success(User),
    versionOf: getVersion,
    handle: async ({ actor, params }) => success(await show(actor, await users.get(params.id))),
  }),
  route({
    endpoint: 'POST /api/users',
    access: 'users:create',
    summary: 'Create a user',
    description:
      'Without a password, the user is invited by email; if email is disabled, the response contains the `link` to pass on. You can only assign roles up to your own and permissions that you have; if you have a second factor, a role above `user` or permissions take a proof of the last 15 minutes (`POST /api/auth/reauthenticate`). Without `permissions`, the setting NEW_USER_PERMISSIONS applies.',
    status: 201,
    body: CreateUserInput,
    output: CreatedUserResponse,
    errors: { CONFLICT: 'The email address or username is already in use.' },
    auditAction: 'user.create',
    idempotency: {
      // A lost link can be replaced by resending the invitation.
      withoutFields: ['link'],
      replay: async ({ actor }, subject) =>
        success(await show(actor, await replayUser(subject)), 'Created'),
    },
    handle: async ({ actor, body, recorder }) => {
      const { user, invitation } = await createUser(actor, body, recorder);
      const isEmailSent = invitation !== undefined && invitation.link === undefined;
      const message = isEmailSent ? 'Created and invitation sent' : 'Created';
      return { ...success(await show(actor, user), message), link: invitation?.link };
    },
  }),
  importRoute,
  route({
    endpoint: 'POST /api/users/{id}/invitation',
    access: 'users:create',
    summary: 'Resend an invitation',
    description:
      'Invites a user who has no password yet. Earlier invitations end. If the response has the `link`, it takes the same permissions as changing the user’s email address.',
    params: z.object({ id: RecordId }),
    output: InvitationResult,
    errors: { CONFLICT: 'The user already has a password, or is not active.' },
    auditAction: 'user.invite',
    handle: async ({ actor, params, recorder }) => {
      const invitation = await resendInvitation(actor, params.id, recorder);
      const message = invitation.link ? 'Pass the link on to the user.' : 'Invitation sent';
      return { ...success({}, message), link: invitation.link };
    },
  }),
  route({
    endpoint: 'PUT /api/users/{id}',
    access: 'users:update',
    summary: 'Update a user',
    description:
      'Changes only the fields you send; `null` clears an optional one. You can’t change users of a higher rank, and the last active super_admin stays one. Another email address lets someone into the account, so it takes every permission of that user, also those that you have removed in the last 24 hours, and `documents:manage`, `files:manage`, `calendar:manage` and `shares:manage`; it counts at once, unverified, and both addresses are told.',
    params: z.object({ id: RecordId }),
    body: UpdateUserInput,
    output: Success(User),
    errors: {
      FORBIDDEN:
        'The user has a higher rank, or more is granted than you have; with the code `REAUTHENTICATION_REQUIRED`, you have a second factor and must prove it for another role, permission or email address.',
      CONFLICT:
        'The email address or username is already in use, or this is the last active super_admin.',
    },
    auditAction: 'user.update',
    versionOf: getVersion,
    handle: async ({ actor, params, body, ifMatch, recorder }) => {
      const user = await administration.updateUser(actor, params.id, body, ifMatch, recorder);
      return success(await show(actor, user), 'Saved');
    },
  }),
  belongingsRoute,
  route({
    endpoint: 'DELETE /api/users/{id}',
    access: 'users:delete',
    summary: 'Delete a user',
    description:
      'Deletes the user with all documents, files, events and shares, or transfers them with `transferTo`. The account is gone immediately; the rest can take a while, see `pending`.',
    params: z.object({ id: RecordId }),
    query: z.object({
      transferTo: RecordId.optional().meta({
        description:
          'The id of an active user who gets the documents, files, folders, events and shares. Without it, they are deleted. Requires `documents:manage`, `files:manage`, `calendar:manage` and `shares:manage`.',
      }),
    }),
    output: DeletedUser,
    errors: {
      FORBIDDEN:
        'The user has a higher rank, or `transferTo` is sent without its four permissions.',
      CONFLICT: 'This is the last active super_admin.',
    },
    auditAction: 'user.delete',
    versionOf: () => undefined,
    handle: async ({ actor, params, query: { transferTo }, ifMatch, recorder }) => {
      const { isPending } = await administration.deleteUser(
        actor,
        params.id,
        transferTo,
        ifMatch,
        recorder,
      );
      return success({ id: params.id, ...(isPending && { pending: true as const }) }, 'Deleted');
    },
  }),
  ...roleRoutes,
];
