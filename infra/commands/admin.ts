import { resetFactors } from '../../functions/api/auth/factors/reset.ts';
import { createOperatorLink } from '../../functions/api/users/account/password-link.ts';
import {
  createVerificationLink,
  type VerificationLink,
} from '../../functions/api/users/account/verification.ts';
import { findByEmail } from '../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../shared/audit/audit-log.ts';
import { isPasswordSignInOn } from '../../shared/auth/ways-in.ts';
import { Email } from '../../shared/input/fields.ts';
import { ensureFirstAdmin } from '../local/first-admin.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { useRemembered } from './settings/remembered.ts';
import { readOutputs } from './stage-outputs.ts';

/** Points the service's code in this process at the data of a deployed stage. */
const useStage = async (stage: string): Promise<void> => {
  const { TableName, ServiceUrl } = await readOutputs(stage);
  await useRemembered(stage);
  process.env['TABLE_NAME'] = TableName;
  process.env['PUBLIC_URL'] = ServiceUrl;
};

/**
 * Creates a super_admin, and returns how to sign in: by the generated password, or by a link where passwords are off.
 * @throws CommandError when the email address has an account
 */
const createSuperAdmin = async (email: string): Promise<string> => {
  const { password } = await ensureFirstAdmin(email, undefined);
  if (password === undefined) {
    throw new CommandError(`${email} already has an account. No changes made.`);
  }
  if (isPasswordSignInOn()) return `password ${password} (shown only once)`;
  return `link that signs in once (expires in 1 hour): ${(await resetAccount(email)).link}`;
};

/**
 * Lets someone back in who has lost the password, the second factors or both: removes the factors of an account, and returns a
 * password reset link and whether there were any.
 * @throws CommandError when the email address has no account
 */
const resetAccount = async (
  email: string,
): Promise<{ readonly link: string; readonly hadFactors: boolean }> => {
  const user = await findByEmail(email);
  const hadFactors = user?.secondFactors !== undefined;
  if (user && hadFactors) await resetFactors(user.id, undefined, systemRecorder('factor.reset'));
  const link = user && (await createOperatorLink(user.id));
  if (link === undefined) throw new CommandError(`${email} has no account.`);
  return { link, hadFactors };
};

/**
 * Creates a link that verifies the address of an account, or confirms its new one.
 * @throws CommandError when the email address has no account, or nothing is left to verify
 */
const createVerification = async (email: string): Promise<VerificationLink> => {
  const user = await findByEmail(email);
  if (!user) throw new CommandError(`${email} has no account.`);
  const link = await createVerificationLink(user);
  if (!link) throw new CommandError(`${email} is already verified. No changes made.`);
  return link;
};

const usage = `Usage: npm run admin -- <email> [--reset | --verify] [--stage <name>] [--region <region>]
Creates the first super_admin of a deployed stage, and prints how to sign in: a password, or a link where passwords are off.
  --reset            removes the second factors of an account, and prints a link that sets a new password and signs in,
                     also where passwords are off
  --verify           prints a link that verifies the email address of an account, or confirms its new one
${stageUsage}`;

/** Runs `npm run admin -- <email> [--reset | --verify] [--stage <name>] [--region <region>]`. */
export const admin = async (args: readonly string[]): Promise<void> => {
  const { values, positionals } = parseCommand(usage, {
    args,
    options: { ...stageOptions, reset: { type: 'boolean' }, verify: { type: 'boolean' } },
    allowPositionals: true,
  });
  const stage = chooseStage(values);
  const email = Email.safeParse(positionals[0]);
  const isOne = email.success && positionals.length === 1 && !(values.reset && values.verify);
  if (!isOne) throw new CommandError(usage);
  await useStage(stage);
  if (values.reset) {
    const { link, hadFactors } = await resetAccount(email.data);
    if (hadFactors) {
      const alone = isPasswordSignInOn()
        ? ' The password alone signs in until one is set up again.'
        : '';
      print(`Second factors and recovery codes removed.${alone}`);
    }
    print(`Password reset link (expires in 1 hour): ${link}`);
    return;
  }
  if (values.verify) {
    const { url, email: verified } = await createVerification(email.data);
    print(
      `Link that verifies ${verified}, once signed in to the account (expires in 24 hours): ${url}`,
    );
    return;
  }
  print(`Admin ${email.data} created, ${await createSuperAdmin(email.data)}`);
};

if (import.meta.main) await run(admin);
