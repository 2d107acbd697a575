import { post } from '../../../browser/data/post.ts';
import { getDestination } from '../../../layout/addresses/destination.ts';
import { carryEmail } from './parts/sign-in/carried-email.ts';
import { handleEmailSignIn } from './parts/sign-in/email-sign-in.ts';
import { handleForm } from './parts/sign-in/form.ts';
import { finishLogin, type LoginResponse } from './parts/sign-in/login-response.ts';
import { handlePasskeys } from './parts/sign-in/passkeys.ts';

/** The pages that lead on to another one; on any other, signing in shows that page itself. */
const signInPages: readonly string[] = ['/login', '/login/email', '/register'];

const leave = (): undefined => {
  const { pathname, search } = location;
  const next = new URLSearchParams(search).get('next') ?? undefined;
  location.replace(signInPages.includes(pathname) ? getDestination(next) : pathname + search);
};

carryEmail();

handleForm('login', async (values) =>
  finishLogin((await post('/api/auth/login', values)) as LoginResponse, leave),
);

handleForm('register', async (values) => {
  await post('/api/auth/register', values);
  return leave();
});

handleEmailSignIn(leave);

handlePasskeys(leave);
