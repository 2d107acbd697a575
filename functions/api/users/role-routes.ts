import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { label } from '../../../shared/input/fields.ts';
import { recordChange } from '../../../shared/input/record-change.ts';
import {
  type Role as BuiltInRole,
  roles as builtIn,
  can,
  permissions,
  roleGrants,
  roleLabels,
} from '../../../shared/permissions/permissions.ts';
import {
  getRank,
  isBuiltIn,
  isForCustomRoles,
  roleNamePattern,
} from '../../../shared/permissions/roles.ts';
import { sentences } from '../../../shared/permissions/sentences.ts';
import * as customRoles from './roles.ts';

const Permission = z
  .object({
    name: z.string().meta({ description: 'As roles, users and tokens hold it.' }),
    resource: z.string().meta({ description: 'The part before the colon.' }),
    action: z.string().meta({ description: 'The part after the colon.' }),
    description: z.string().meta({ description: 'What it allows, in plain words.' }),
  })
  .meta({
    id: 'Permission',
    examples: [
      {
        name: 'documents:view',
        resource: 'documents',
        action: 'view',
        description: 'Read your documents',
      },
    ],
  });

const exampleRole = {
  id: 'support',
  name: 'support',
  label: 'Support',
  permissions: ['users:view', 'users:update', 'shares:manage'],
  builtIn: false,
  rank: 3,
  users: 4,
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
  version: 1,
};

const Role = z
  .object({
    id: z.string().meta({ description: 'The same as `name`.' }),
    name: z.string().meta({ description: 'What users have as `role`.' }),
    label: z.string().meta({ description: 'The name of the role as text for people.' }),
    permissions: z.array(z.string()),
    builtIn: z.boolean().meta({ description: 'Whether it can be neither changed nor deleted.' }),
    rank: z.int().positive().meta({ description: '1 is the highest. Custom roles share one.' }),
    users: z.int().nonnegative().nullable().meta({
      description:
        'How many users have it, in any status. `null`: of a built-in role, or without `users:view`.',
    }),
    createdAt: z.iso.datetime().nullable().meta({ description: '`null`: it is built in.' }),
    updatedAt: z.iso.datetime().nullable().meta({ description: '`null`: it is built in.' }),
    version: z.int().positive().nullable(),
  })
  .meta({ id: 'Role', examples: [exampleRole] });

const DeletedRole = Success(z.object({ id: z.string() })).meta({
  id: 'DeletedRole',
  examples: [{ success: true, data: { id: 'support' }, message: 'Deleted' }],
});

const Entries = z
  .array(
    z
      .string()
      .refine(
        isForCustomRoles,
        'must be a permission such as users:view or users:*; only super_admin has *',
      ),
  )
  .max(100)
  .meta({
    description:
      'Permissions such as `users:view`, or all of a resource such as `users:*`, that you have yourself.',
  });

const Label = label(40).meta({ description: 'The name of the role as text for people, unique.' });

const CreateRoleInput = z
  .object({
    name: z
      .string()
      .regex(
        roleNamePattern,
        'must be 2 to 32 lower-case letters, digits, - or _, and start with a letter',
      )
      .meta({ description: 'What users have as `role`. It can’t be changed later.' }),
    label: Label,
    permissions: Entries,
  })
  .meta({
    id: 'CreateRoleInput',
    examples: [{ name: 'support', label: 'Support', permissions: ['users:view', 'users:update'] }],
  });

const roleChange = recordChange(
  Role,
  { label: Label.optional(), permissions: Entries.optional() },
  { sets: ['permissions'] },
);

const UpdateRoleInput = z.object(roleChange.shape).meta({
  id: 'UpdateRoleInput',
  examples: [{ permissions: ['users:view', 'users:update', 'audit:view'] }],
});

type ShownRole = z.output<typeof Role>;

const showBuiltIn = (name: BuiltInRole): ShownRole => ({
  id: name,
  name,
  label: roleLabels[name],
  permissions: [...roleGrants[name]],
  builtIn: true,
  rank: getRank(name, undefined),
  users: null,
  createdAt: null,
  updatedAt: null,
  version: null,
});

const showCustom = (
  actor: Actor,
  { role, users }: customRoles.CountedRole,
): ShownRole & { readonly version: number } => ({
  id: role.name,
  name: role.name,
  label: role.label,
  permissions: [...role.permissions],
  builtIn: false,
  rank: getRank(role.name, new Map([[role.name, role]])),
  users: can(actor.permissions, 'users:view') ? users : null,
  createdAt: role.createdAt,
  updatedAt: role.updatedAt,
  version: role.version,
});

const getVersion = ({ data }: { readonly data: ShownRole }) => data.version ?? undefined;

const ofRole = z.object({ name: z.string().max(64) });

/** The number of users may have changed since the role was read. */
const ignoreUsers = (field: string): boolean | undefined => (field === 'users' ? true : undefined);

const beyond =
  'The role grants a permission that you don’t have, doesn’t rank below yours, or is built in.';

/** The routes of permissions and roles. */
export const roleRoutes = [
  route({
    endpoint: 'GET /api/permissions',
    access: 'signed-in',
    scope: 'none',
    summary: 'List permissions',
    description: 'Returns what roles, users and API tokens can be given, with what it allows.',
    output: Success(z.array(Permission)),
    handle: async () =>
      success(
        permissions.map((name) => {
          const [resource = '', action = ''] = name.split(':');
          return { name, resource, action, description: sentences[name] };
        }),
      ),
  }),
  route({
    endpoint: 'GET /api/roles',
    access: 'signed-in',
    scope: 'none',
    summary: 'List roles',
    description:
      'Returns all roles from the highest rank to the lowest, custom ones by label, with the permissions that each grants.',
    output: Success(z.array(Role)),
    handle: async ({ actor }) => {
      const custom = await customRoles.list();
      const shown = [
        ...builtIn.map(showBuiltIn),
        ...custom.map((counted) => showCustom(actor, counted)),
      ];
      return success(shown.toSorted((a, b) => a.rank - b.rank));
    },
  }),
  route({
    endpoint: 'GET /api/roles/{name}',
    access: 'signed-in',
    scope: 'none',
    summary: 'Get a role',
    params: ofRole,
    output: Success(Role),
    versionOf: getVersion,
    handle: async ({ actor, params: { name } }) =>
      success(isBuiltIn(name) ? showBuiltIn(name) : showCustom(actor, await customRoles.get(name))),
  }),
  route({
    endpoint: 'POST /api/roles',
    access: 'roles:manage',
    summary: 'Create a role',
    description:
      'Up to 20. A role ranks below `admin` and above `user`, and grants only permissions that you have; your own role must rank above it. Who gives it to users must have its permissions, too.',
    status: 201,
    body: CreateRoleInput,
    output: Success(Role),
    errors: {
      FORBIDDEN: 'The role would grant a permission that you don’t have, or not rank below yours.',
      CONFLICT: 'The name or label is already taken, or there are 20 custom roles.',
    },
    auditAction: 'role.create',
    idempotency: {
      replay: async ({ actor }, subject) =>
        success(showCustom(actor, await customRoles.get(subject.slice('role:'.length))), 'Created'),
    },
    handle: async ({ actor, body, recorder }) =>
      success(showCustom(actor, await customRoles.create(actor, body, recorder)), 'Created'),
  }),
  route({
    endpoint: 'PUT /api/roles/{name}',
    access: 'roles:manage',
    summary: 'Update a role',
    description:
      'Changes only the fields you send, with effect at the next request of its users. You must have what the role grants, before and after the change.',
    params: ofRole,
    body: UpdateRoleInput,
    output: Success(Role),
    errors: { FORBIDDEN: beyond, CONFLICT: 'The label is already taken.' },
    auditAction: 'role.update',
    versionOf: getVersion,
    handle: async ({ actor, params: { name }, body, ifMatch, recorder }) => {
      const edit = (counted: customRoles.CountedRole) =>
        roleChange.changes(body, showCustom(actor, counted), ignoreUsers);
      const updated = await customRoles.update(actor, name, edit, ifMatch, recorder);
      return success(showCustom(actor, updated), 'Saved');
    },
  }),
  route({
    endpoint: 'DELETE /api/roles/{name}',
    access: 'roles:manage',
    summary: 'Delete a role',
    description: 'Deletes a role that no user has.',
    params: ofRole,
    output: DeletedRole,
    errors: { FORBIDDEN: beyond, CONFLICT: 'Users have the role; the message says how many.' },
    auditAction: 'role.delete',
    versionOf: () => undefined,
    handle: async ({ actor, params: { name }, ifMatch, recorder }) => {
      await customRoles.remove(actor, name, ifMatch, recorder);
      return success({ id: name }, 'Deleted');
    },
  }),
];
