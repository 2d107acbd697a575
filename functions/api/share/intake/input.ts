import * as z from 'zod';
import { integer, label, multiLine, optional } from '../../../../shared/input/fields.ts';
import { recordChange } from '../../../../shared/input/record-change.ts';
import {
  maxNoteLength,
  maxRequestSeconds,
  maxSubmissions,
  maxTitleLength,
} from '../../../../shared/input/share-limits.ts';
import { type ErrorDetail, invalidInput } from '../../../../shared/runtime/errors.ts';
import {
  expirationFields,
  findBroken,
  findExpirationConflicts,
  refuseConflicts,
  toExpiry,
} from '../requests/expiration.ts';
import { SharePassword } from '../requests/request-fields.ts';
import { ShareRequestDetail } from './schemas.ts';

const fields = {
  note: optional(multiLine(maxNoteLength)).meta({
    description: 'What is asked for, for those who open the request.',
  }),
  password: optional(SharePassword).meta({
    description: 'Who hands something in needs it, too.',
  }),
  expiresIn: optional(integer(maxRequestSeconds)).meta({
    description: 'After how many seconds it takes nothing more: up to 30 days. Left out, 7 days.',
  }),
  expiresAt: expirationFields.expiresAt.meta({
    description: 'When it takes nothing more: within 30 days. Can’t be combined with `expiresIn`.',
  }),
};

const Title = label(maxTitleLength);
const Submissions = integer(maxSubmissions);

type Fields = Partial<z.output<z.ZodObject<typeof fields>>>;

const findConflicts = ({ expiresIn, expiresAt }: Fields): readonly ErrorDetail[] => [
  ...findExpirationConflicts({ expiresIn, expiresAt }),
  ...findBroken([
    [
      expiresAt != null && Date.parse(expiresAt) > Date.now() + maxRequestSeconds * 1_000,
      'expiresAt',
      'must be within 30 days',
    ],
  ]),
];

/** The body of `POST /api/share/requests`. Optional fields accept null. */
export const RequestInput = z
  .object({
    title: Title,
    submissions: optional(Submissions).meta({
      description: 'How many people can hand something in. Left out, one.',
    }),
    ...fields,
  })
  .superRefine(refuseConflicts(findConflicts))
  .meta({
    id: 'CreateShareRequestInput',
    examples: [
      {
        title: 'Logs of the outage',
        note: 'From 09:00 to 10:00, please.',
        submissions: 3,
        expiresIn: 172_800,
      },
    ],
  });

/** The input of a new request. `expiresAt` is in ms since 1970. */
export interface NewRequest {
  readonly title: string;
  readonly note: string | undefined;
  readonly submissions: number;
  readonly password: string | undefined;
  readonly expiresAt: number | undefined;
}

/** Converts the input of a request: null becomes absent, and the expiration one instant. */
export const toNewRequest = (input: z.output<typeof RequestInput>): NewRequest => ({
  title: input.title,
  note: input.note ?? undefined,
  submissions: input.submissions ?? 1,
  password: input.password ?? undefined,
  expiresAt: toExpiry(input),
});

const requestChange = recordChange(
  ShareRequestDetail,
  {
    title: Title.optional(),
    submissions: Submissions.optional().meta({
      description: 'How many it takes: at least those that it has taken.',
    }),
    closed: z.boolean().optional().meta({
      description: 'Whether it takes nothing more, until this is changed back.',
    }),
    ...fields,
  },
  {
    elsewhere: {
      protected: 'can only be changed with `password`',
      status: 'is derived from submissions, expiration and `closed`',
    },
  },
);

/** The body of `PUT /api/share/requests/{id}`. Absent fields stay, null removes an optional field. */
export const RequestChangeInput = z.object(requestChange.shape).meta({
  id: 'UpdateShareRequestInput',
  examples: [{ submissions: 5, expiresIn: 86_400 }],
});

/** A change of a request: absent fields stay, null removes a field. `expiresAt` is in ms since 1970. */
export interface RequestChange {
  readonly title?: string | undefined;
  readonly note?: string | null | undefined;
  readonly submissions?: number | undefined;
  readonly closed?: boolean | undefined;
  readonly password?: string | null | undefined;
  readonly expiresAt?: number | undefined;
}

/**
 * Returns what the body changes about the request, given as the API shows it. Without an end of its own, it stays as it is.
 * @throws AppError VALIDATION_ERROR for fields that can't be changed or combined
 */
export const toRequestChange = (
  body: z.output<typeof RequestChangeInput>,
  current: object,
): RequestChange => {
  const { title, note, submissions, closed, password, ...ends } = requestChange.changes(
    body,
    current,
    (field, sent, stored) =>
      field === 'expiresAt' && typeof sent === 'string' && typeof stored === 'string'
        ? Date.parse(sent) === Date.parse(stored)
        : undefined,
  );
  const conflicts = findConflicts(ends);
  if (conflicts.length > 0) throw invalidInput(conflicts);
  return { title, note, submissions, closed, password, expiresAt: toExpiry(ends) };
};
