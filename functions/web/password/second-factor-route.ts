import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { secondStepLimits } from '../../api/auth/factors/limits.ts';
import type { SecondStep } from '../../api/auth/factors/second-step.ts';
import { createDeviceCookie } from '../../api/auth/factors/trusted-device.ts';
import { createCookie } from '../../api/auth/sessions.ts';
import { getDestination, withNext } from '../layout/addresses/destination.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { factorMethods, getFirstView, secondFactorPage } from '../layout/sign-in/second-factor.ts';
import { readTheme, type Theme } from '../layout/theme.ts';
import { page } from './reply.ts';
import { secondFactorTexts as texts } from './texts.ts';

/** Shows the step that follows a password which a form has set. `next` is the page to open afterwards. */
export const showSecondStep = (
  { mfaToken, methods }: SecondStep,
  next: string,
  theme: Theme | undefined,
): Reply<string> => {
  const view = getFirstView(methods);
  return page(secondFactorPage({ mfaToken, methods, view, next, toLogin: '/login' }, theme));
};

const Method = z.enum(factorMethods);

// Lenient on purpose: the page itself says what is wrong with a code.
const FormInput = z.object({
  mfaToken: z
    .string()
    .max(2_048)
    .default('')
    .meta({ description: 'Shows that the password was right.' }),
  code: z.string().max(40).default('').meta({ description: 'Six digits, or a recovery code.' }),
  remember: z
    .string()
    .optional()
    .meta({ description: 'Sent if this device isn’t to be asked for 30 days.' }),
  next: z.string().max(2_048).optional(),
  methods: z
    .string()
    .max(40)
    .default('')
    .meta({ description: 'The ways that the page which sent it can show, separated by spaces.' }),
  shown: Method.default('totp').meta({ description: 'The way that the page showed.' }),
  /** The view that its button asks for, in place of a code. */
  view: Method.optional(),
});

const lead = (location: string, cookies: readonly string[] = []): Reply<string> =>
  new Reply('', { status: 303, headers: { location }, cookies });

const toLate = (next: string | undefined): string =>
  `${withNext('/login', next)}${next === undefined ? '?' : '&'}why=late`;

const isIncorrect = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'VALIDATION_ERROR';

/** The route of the form that follows a new password, for browsers without scripts; scripts send it to the API. */
export const secondFactorRoute = route({
  endpoint: 'POST /second-factor',
  access: 'public',
  summary: 'Complete a sign-in by form',
  description:
    'Completes a sign-in by a code, after a form has set the password. With `view`, shows another way instead.',
  redirects:
    'Once the user is signed in: the path in `next`, or else the dashboard. If that took too long: the sign-in page.',
  body: FormInput,
  accepts: 'form',
  produces: 'html',
  output: z.string(),
  failurePage: replyWithErrorPage,
  limits: secondStepLimits,
  auditAction: 'session.create',
  handle: async ({ body, isCrossSite, cookies, client, recorder }) => {
    const { mfaToken, code, shown, view } = body;
    const next = body.next || undefined;
    // A form of another site must not sign its visitor in to someone else's account.
    if (isCrossSite) return lead('/login');
    const methods = factorMethods.filter((method) => body.methods.split(' ').includes(method));
    const step = { mfaToken, methods, next, toLogin: '/login' };
    const theme = readTheme(cookies);
    if (view) return page(secondFactorPage({ ...step, view }, theme));
    try {
      const { completeByCode } = await import('../../api/auth/second-step-sign-in.ts');
      const { user, session } = await completeByCode(mfaToken, code, client, recorder);
      const device = body.remember === undefined ? [] : [await createDeviceCookie(user)];
      return lead(getDestination(next), [await createCookie(session, user), ...device]);
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') return lead(toLate(next));
      if (!isIncorrect(error)) throw error;
      return page(secondFactorPage({ ...step, view: shown, error: texts.incorrect }, theme), 400);
    }
  },
});
