import * as z from 'zod';
import { plainText } from '../../shared/plain-text.ts';
import type { ShareChange } from './change.ts';
import type { NewShare } from './create.ts';

const tenYearsInSeconds = 10 * 365 * 86_400;

/** Keys sort by the end as text: all years have four digits, also where the offset is counted in. */
const afterLastYear = Date.UTC(10_000, 0, 1);

/** A share's id in a path; one that can be no share's is the id of nothing. */
export const ShareId = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });

const label = (max: number) =>
  plainText(z.string().trim().max(max, `must have at most ${max} characters`)).nullish();

/** Anything but blanks, of which Braille has one, and what takes no room, such as fillers and variation selectors. */
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]/u;

/** A label that shows nothing is none. */
const shown = (label: string | null | undefined): string | null | undefined =>
  label != null && !visible.test(label) ? null : label;

/** Why a share is reported. */
export const ReportReason = plainText(
  z
    .string()
    .trim()
    .min(3, 'must have at least 3 characters')
    .max(1_000, 'must have at most 1000 characters'),
);

const wholeNumber = (max: number, unit: string) => {
  const rule = `must be a whole number of ${unit} from 1 to ${max}`;
  return z.int(rule).min(1, rule).max(max, rule).nullish();
};

const SharePassword = z.string().regex(/^[A-Za-z0-9]{6}$/, 'must have exactly 6 letters or digits');

const Content = z.string().min(1, 'must not be empty');

const fields = {
  language: z.enum(['html', 'markdown'], 'must be html or markdown').nullish(),
  title: label(200),
  description: label(1_000),
  viewLimit: wholeNumber(1_000_000, 'views'),
  useRandomPassword: z.boolean().nullish(),
  password: SharePassword.nullish(),
  expiresIn: wholeNumber(tenYearsInSeconds, 'seconds'),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' })
    .nullish(),
};

type Fields = z.output<z.ZodObject<typeof fields>>;

const checkTogether = (
  { password, useRandomPassword, expiresIn, expiresAt }: Fields,
  check: z.core.$RefinementCtx,
): void => {
  const refuse = (field: string, message: string) =>
    check.addIssue({ code: 'custom', path: [field], message });
  if (password != null && useRandomPassword) {
    refuse('useRandomPassword', 'can not be true beside a password');
  }
  if (expiresAt != null && expiresIn != null) {
    refuse('expiresAt', 'can not be set beside expiresIn');
  }
  if (expiresAt != null && Date.parse(expiresAt) <= Date.now()) {
    refuse('expiresAt', 'must be in the future');
  }
  if (expiresAt != null && Date.parse(expiresAt) >= afterLastYear) {
    refuse('expiresAt', 'must be before the year 10000');
  }
};

/** The body of `POST /api/share` (1-snippet-service §2, decisions §4); optional fields take null. */
export const ShareInput = z
  .object({ content: Content, ...fields })
  .superRefine(checkTogether)
  .meta({
    id: 'NewShare',
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

/** The body of `PUT /api/share/{id}`: what is sent is changed, null takes an optional field away. */
export const ShareChangeInput = z
  .object({ content: Content.nullish(), ...fields })
  .superRefine(checkTogether)
  .meta({ id: 'ShareChange', examples: [{ title: 'Another title', viewLimit: null }] });

/** The input as the share's domain takes it: absent where it is null, the expiry as one instant. */
export const toNewShare = (input: z.output<typeof ShareInput>): NewShare => ({
  content: input.content,
  language: input.language ?? 'html',
  title: shown(input.title) ?? undefined,
  description: shown(input.description) ?? undefined,
  viewLimit: input.viewLimit ?? undefined,
  password: input.password ?? undefined,
  useRandomPassword: input.useRandomPassword ?? false,
  expiresAt: expiryOf(input),
});

const expiryOf = ({ expiresIn, expiresAt }: Fields): number | undefined => {
  if (expiresIn != null) return Date.now() + expiresIn * 1_000;
  return expiresAt == null ? undefined : Date.parse(expiresAt);
};

/** The change as the share's domain takes it: `null` where a field is to go, absent where it stays. */
export const toShareChange = (input: z.output<typeof ShareChangeInput>): ShareChange => {
  const { expiresIn, expiresAt } = input;
  const isTimeless = expiresIn === null || expiresAt === null;
  return {
    content: input.content ?? undefined,
    language: input.language ?? undefined,
    title: shown(input.title),
    description: shown(input.description),
    viewLimit: input.viewLimit,
    password: input.password,
    useRandomPassword: input.useRandomPassword ?? false,
    expiresAt: expiryOf(input) ?? (isTimeless ? null : undefined),
  };
};
