import * as z from 'zod';
import { isBlank, multiLine, oneLine, optional } from '../../../shared/input/fields.ts';
import { recordChange } from '../../../shared/input/record-change.ts';
import { type ErrorDetail, invalidInput } from '../../../shared/runtime/errors.ts';
import type { ShareChange } from './change.ts';
import type { NewShare } from './create.ts';
import { Share } from './schemas.ts';

const tenYearsInSeconds = 10 * 365 * 86_400;

/** Keys sort by the end as text: all years have four digits, also where the offset is counted in. */
const afterLastYear = Date.UTC(10_000, 0, 1);

/** A share's id in a path; one that can be no share's is the id of nothing. */
export const ShareId = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });

/** Why a share is reported. */
export const ReportReason = multiLine(1_000)
  .min(3)
  .refine((text) => !isBlank(text), 'must contain a visible character');

const wholeNumber = (max: number, unit: string) => {
  const rule = `must be a whole number of ${unit} from 1 to ${max}`;
  return optional(z.int(rule).min(1, rule).max(max, rule));
};

const SharePassword = z.string().regex(/^[A-Za-z0-9]{6}$/, 'must have exactly 6 letters or digits');

const Content = z.string().min(1, 'must not be empty');

const LanguageField = z.enum(['html', 'markdown'], 'must be html or markdown');

const fields = {
  title: optional(oneLine(200)),
  description: optional(multiLine(1_000)),
  viewLimit: wholeNumber(1_000_000, 'views'),
  useRandomPassword: optional(z.boolean()),
  password: optional(SharePassword),
  expiresIn: wholeNumber(tenYearsInSeconds, 'seconds'),
  expiresAt: optional(
    z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' }),
  ),
};

type Fields = Partial<z.output<z.ZodObject<typeof fields>>>;

/** What of fields that fit alone is wrong together, or by now. */
const invalidCombination = ({
  password,
  useRandomPassword,
  expiresIn,
  expiresAt,
}: Fields): readonly ErrorDetail[] => {
  const rules: readonly (readonly [isBroken: boolean, field: string, message: string])[] = [
    [
      password != null && useRandomPassword === true,
      'useRandomPassword',
      'can not be true beside a password',
    ],
    [expiresAt != null && expiresIn != null, 'expiresAt', 'can not be set beside expiresIn'],
    [
      expiresAt != null && Date.parse(expiresAt) <= Date.now(),
      'expiresAt',
      'must be in the future',
    ],
    [
      expiresAt != null && Date.parse(expiresAt) >= afterLastYear,
      'expiresAt',
      'must be before the year 10000',
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, field, message]) => ({ field, message }));
};

/** The body of `POST /api/share`; optional fields take null (decisions.md#bodies). */
export const ShareInput = z
  .object({ content: Content, language: optional(LanguageField), ...fields })
  .superRefine((input, check) => {
    for (const { field, message } of invalidCombination(input)) {
      check.addIssue({ code: 'custom', path: [field], message });
    }
  })
  .meta({
    id: 'CreateShareInput',
    examples: [
      {
        content: '# Hi',
        language: 'markdown',
        title: 'A note',
        viewLimit: 3,
        useRandomPassword: true,
        expiresIn: 86_400,
      },
    ],
  });

const byDecision = 'is changed at PUT /api/shares/{id}/decision';

const changeOfShare = recordChange(
  Share,
  { content: Content.optional(), language: LanguageField.optional(), ...fields },
  {
    elsewhere: {
      protected: 'is changed by `password` and `useRandomPassword`',
      html: 'is made of `content`',
      status: 'follows from views, time and PUT /api/shares/{id}/decision',
      viewsLeft: 'is changed by `viewLimit`',
      ...{ reports: byDecision, reportedAt: byDecision, takenDownAt: byDecision },
      ...{ reportList: byDecision, ownerId: 'can not be changed' },
    },
  },
);

/** The body of `PUT /api/share/{id}`: what is sent is changed, null takes an optional field away. */
export const ShareChangeInput = z
  .object(changeOfShare.shape)
  .meta({ id: 'UpdateShareInput', examples: [{ title: 'Another title', viewLimit: null }] });

/** The input as the share's domain takes it: absent where it is null, the expiry as one instant. */
export const toNewShare = (input: z.output<typeof ShareInput>): NewShare => ({
  content: input.content,
  language: input.language ?? 'html',
  title: input.title ?? undefined,
  description: input.description ?? undefined,
  viewLimit: input.viewLimit ?? undefined,
  password: input.password ?? undefined,
  useRandomPassword: input.useRandomPassword ?? false,
  expiresAt: toExpiry(input),
});

const toExpiry = ({ expiresIn, expiresAt }: Fields): number | undefined => {
  if (expiresIn != null) return Date.now() + expiresIn * 1_000;
  return expiresAt == null ? undefined : Date.parse(expiresAt);
};

/**
 * The change as the share's domain takes it: what of the body differs from the share as it is shown; `null` where a field is
 * to go, absent where it stays.
 * @throws AppError VALIDATION_ERROR about what can't be changed, or not together
 */
export const toShareChange = (
  body: z.output<typeof ShareChangeInput>,
  shown: object,
): ShareChange => {
  const input = changeOfShare.changes(body, shown, (field, sent, stored) =>
    field === 'expiresAt' && typeof sent === 'string' && typeof stored === 'string'
      ? Date.parse(sent) === Date.parse(stored)
      : undefined,
  );
  const wrong = invalidCombination(input);
  if (wrong.length > 0) throw invalidInput(wrong);
  const { expiresIn, expiresAt } = input;
  const isTimeless = expiresIn === null || expiresAt === null;
  return {
    content: input.content,
    language: input.language,
    title: input.title,
    description: input.description,
    viewLimit: input.viewLimit,
    password: input.password,
    useRandomPassword: input.useRandomPassword ?? false,
    expiresAt: toExpiry(input) ?? (isTimeless ? null : undefined),
  };
};
