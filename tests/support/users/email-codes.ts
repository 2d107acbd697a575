import {
  createSignInCode,
  getSignInCodePlace,
} from '../../../functions/api/users/account/sign-in-code.ts';
import { addCode } from '../../../shared/auth/email-codes/add-code.ts';
import { type Answer, type CallOptions, call } from '../service/call.ts';
import { settleJobs } from '../service/jobs.ts';
import { linkOf, mailsTo, whileMailIsOn } from '../service/mail.ts';

/** The requests of users who sign in by email. */

export const requestCode = (email: string, client: CallOptions = {}): Promise<Answer> =>
  call('POST /api/auth/login/email', { body: { email }, ...client });

/** Sends a code, or the token of a link. */
export const enterSignInCode = (body: object, client: CallOptions = {}): Promise<Answer> =>
  call('POST /api/auth/login/email/code', { body, ...client });

/** A code and the token of its link, as an email has them. */
export interface SignInMail {
  readonly code: string;
  readonly token: string;
}

/** Returns the codes that an address has got, in order. */
export const receivedCodes = async (email: string): Promise<SignInMail[]> =>
  (await mailsTo(email)).flatMap((mail) => {
    const [code] = mail.text.match(/^\d{6}$/m) ?? [];
    return code === undefined ? [] : [{ code, token: linkOf(mail).split('#token=')[1] ?? '' }];
  });

/** Returns the codes that an address has got once all jobs are done, in order. */
export const signInMailsTo = async (email: string): Promise<SignInMail[]> => {
  await settleJobs();
  return receivedCodes(email);
};

/** Requests a code for an address, and returns what its newest email has. */
export const newSignInMail = async (
  email: string,
  client: CallOptions = {},
): Promise<SignInMail> => {
  await requestCode(email, client);
  return (await signInMailsTo(email)).at(-1) ?? { code: '', token: '' };
};

/** Gives a user a code that isn’t mailed. */
export const plantSignInCode = async (user: {
  readonly id: number;
  readonly email: string;
}): Promise<SignInMail> => {
  const { code, hashed, token } = await createSignInCode(user.email);
  await addCode(getSignInCodePlace(user), hashed, '192.0.2.1');
  return { code, token };
};

/** Runs a function while users sign in by email. */
export const whileEmailSignInIsOn = <Result>(work: () => Promise<Result>): Promise<Result> =>
  whileMailIsOn(async () => {
    const { EMAIL_SIGN_IN } = process.env;
    process.env['EMAIL_SIGN_IN'] = 'on';
    try {
      return await work();
    } finally {
      if (EMAIL_SIGN_IN === undefined) delete process.env['EMAIL_SIGN_IN'];
      else process.env['EMAIL_SIGN_IN'] = EMAIL_SIGN_IN;
    }
  });
