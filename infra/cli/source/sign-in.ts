import type { Tokens } from '../../../functions/web/browser/client/session.ts';
import { connectAsNobody } from './connection.ts';
import { interruption as signal } from './interruption.ts';
import { confirmSignIn } from './second-factor.ts';
import { ask, readStdin } from './terminal/input.ts';

/** What of the credentials is on the command line. */
export interface CredentialOptions {
  readonly email?: string;
  readonly code?: string;
}

/** What signs in. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code: string | undefined;
}

/** Asks for email and password; without a terminal, they are the lines of the input, before the code if there is one. */
export const askCredentials = async ({ email, code }: CredentialOptions): Promise<Credentials> => {
  if (process.stdin.isTTY) {
    return {
      email: email ?? (await ask('Email: ')),
      password: await ask('Password: ', { isSecret: true }),
      code,
    };
  }
  const lines = (await readStdin()).toString().split(/\r?\n/);
  const [address, password = '', line] = email === undefined ? lines : [email, ...lines];
  return { email: address ?? '', password, code: code ?? (line?.trim() || undefined) };
};

/**
 * Signs in, with the second factor if the account has one. Returns the tokens of the session. `insteadOfPasskey` says what to do
 * without a code.
 */
export const signIn = async (
  url: string,
  { code, ...body }: Credentials,
  insteadOfPasskey?: string,
): Promise<Tokens> => {
  const client = connectAsNobody(url);
  const answer = await client.call('POST /api/auth/login', { body, signal });
  return 'mfaRequired' in answer
    ? confirmSignIn(client, url, answer, code, insteadOfPasskey)
    : answer;
};
