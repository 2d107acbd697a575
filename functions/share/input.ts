import * as z from 'zod';
import { plainText } from '../../shared/plain-text.ts';
import type { NewShare } from './shares.ts';

const tenYearsInSeconds = 10 * 365 * 86_400;

const label = (max: number) =>
  plainText(z.string().max(max, `must have at most ${max} characters`)).nullish();

const wholeNumber = (max: number, unit: string) => {
  const rule = `must be a whole number of ${unit} from 1 to ${max}`;
  return z.int(rule).min(1, rule).max(max, rule).nullish();
};

const SharePassword = z.string().regex(/^[A-Za-z0-9]{6}$/, 'must have exactly 6 letters or digits');

/** The body of `POST /api/share` (1-snippet-service §2, decisions §4); optional fields take null. */
export const ShareInput = z
  .object({
    content: z.string().min(1, 'must not be empty'),
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
  })
  .superRefine(({ password, useRandomPassword, expiresIn, expiresAt }, check) => {
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
  })
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

/** The input as the share's domain takes it: absent where it is null, the expiry as one instant. */
export const toNewShare = (input: z.output<typeof ShareInput>): NewShare => ({
  content: input.content,
  language: input.language ?? 'html',
  title: input.title ?? undefined,
  description: input.description ?? undefined,
  viewLimit: input.viewLimit ?? undefined,
  password: input.password ?? undefined,
  useRandomPassword: input.useRandomPassword ?? false,
  expiresAt: expiryOf(input),
});

const expiryOf = ({ expiresIn, expiresAt }: z.output<typeof ShareInput>): number | undefined => {
  if (expiresIn != null) return Date.now() + expiresIn * 1_000;
  return expiresAt == null ? undefined : Date.parse(expiresAt);
};
