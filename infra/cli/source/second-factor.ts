import { ApiError } from '../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../functions/web/browser/client/client.ts';
import type { Tokens } from '../../../functions/web/browser/client/session.ts';
import { CliError } from './error-mapping.ts';
import { interruption as signal } from './interruption.ts';
import { ask } from './terminal/input.ts';
import { note } from './terminal/output.ts';

/** What a login answers that takes a second factor. */
interface SecondStep {
  readonly mfaToken: string;
  readonly methods: readonly ('totp' | 'passkey' | 'recovery')[];
}

/** In a terminal, a wrong code is asked for again. */
const maxAttempts = 3;

const isIncorrect = (error: unknown): boolean =>
  error instanceof ApiError && error.details.some(({ field }) => field === 'code');

const explainMissing = ({ methods }: SecondStep, insteadOfPasskey: string): CliError =>
  methods.includes('totp')
    ? new CliError(
        'Your account has a second factor: pass --code with a code of your authenticator app, or add it to the input as a line of its own.',
      )
    : new CliError(
        `Your account has a passkey, which a command can’t use: ${insteadOfPasskey}. A recovery code works too, with --code.`,
      );

/**
 * Completes a sign-in by a code of an authenticator app or a recovery code, which it asks for in a terminal. Returns the
 * tokens. `insteadOfPasskey` says what else to do.
 * @throws ApiError; CliError if there is no code, or none can help
 */
export const confirmSignIn = async (
  client: Client,
  url: string,
  step: SecondStep,
  given: string | undefined,
  insteadOfPasskey = `create a token at ${url}/account?tab=tokens and keep it with --token`,
): Promise<Tokens> => {
  const canAsk = process.stdin.isTTY && step.methods.includes('totp');
  if (given === undefined && !canAsk) throw explainMissing(step, insteadOfPasskey);
  for (let attempt = 1; ; attempt++) {
    const code = given ?? (await ask('Code of your authenticator app, or recovery code: '));
    try {
      const body = { mfaToken: step.mfaToken, code };
      return await client.call('POST /api/auth/mfa', { body, signal });
    } catch (error) {
      if (given !== undefined || !isIncorrect(error) || attempt === maxAttempts) throw error;
      note('The code is incorrect.');
    }
  }
};
