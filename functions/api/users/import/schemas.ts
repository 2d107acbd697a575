import * as z from 'zod';
import { exampleUser } from '../../../../shared/auth/user.ts';
import { Success, success } from '../../../../shared/http/envelope.ts';
import { optional } from '../../../../shared/input/fields.ts';
import { type ImportField, importFields, maxLines } from './file.ts';

const maxCharacters = 4_000;

/** Each field is a text, so that what is wrong is told of its line. */
const texts = Object.fromEntries(
  importFields.map((field) => [field, optional(z.string().max(maxCharacters))]),
) as Record<ImportField, ReturnType<typeof optional<z.ZodString>>>;

/** What a dry run is. */
export const dryRun =
  'Whether nothing is created, and the response says what would be. Without `users:view`, it doesn’t say who exists.';

/** The body of `POST /api/users/import`. */
export const ImportUsersInput = z
  .object({
    dryRun: z.boolean().optional().meta({ description: dryRun }),
    users: z
      .array(
        z.object({
          line: z.int().positive().optional().meta({
            description: 'What the response calls it; the default is its place in the list.',
          }),
          ...texts,
          role: texts.role.meta({
            description: 'The name of a role, as in `GET /api/roles`. Left out: `user`.',
          }),
          permissions: texts.permissions.meta({
            description:
              'Permissions beyond those of the role, with spaces between them. Left out, the setting NEW_USER_PERMISSIONS applies.',
          }),
        }),
      )
      .min(1)
      .max(maxLines)
      .meta({ description: 'The users, each as texts as a file has them.' }),
  })
  .meta({
    id: 'ImportUsersInput',
    examples: [{ dryRun: true, users: [{ email: 'bob@example.com', name: 'Bob Example' }] }],
  });

const exampleLine = {
  line: 2,
  email: 'bob@example.com',
  result: 'created' as const,
  id: exampleUser.id,
  problems: [],
};

/** What became of a line, or would. */
export const ImportedLine = z.object({
  line: z.int().positive(),
  email: z.string().nullable(),
  result: z.enum(['new', 'created', 'exists', 'invalid', 'left']).meta({
    description:
      '`new` would be created. `exists`: a user has this address, and stays as they are. `left`: there was no time, so send it again.',
  }),
  id: z
    .int()
    .positive()
    .nullable()
    .meta({ description: 'The id of the user. `null`: there is none, or you may not view users.' }),
  link: z.url().optional().meta({
    description:
      'Of a created user, only if email is disabled: as in the response of `POST /api/users`.',
  }),
  problems: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .meta({ description: 'What is wrong with an `invalid` line.' }),
});

/** The response of `POST /api/users/import`. */
export const ImportResult = Success(
  z.object({
    dryRun: z.boolean().meta({ description: dryRun }),
    counts: z
      .record(ImportedLine.shape.result, z.int())
      .meta({ description: 'The number of lines by result.' }),
    lines: z
      .array(ImportedLine)
      .meta({ description: 'What became of each line, or would, in their order.' }),
  }),
).meta({
  id: 'ImportedUsers',
  examples: [
    success({
      dryRun: false,
      counts: { new: 0, created: 1, exists: 0, invalid: 0, left: 0 },
      lines: [exampleLine],
    }),
  ],
});
