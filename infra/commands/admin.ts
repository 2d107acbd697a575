import { createResetLink } from '../../functions/api/users/account/password-link.ts';
import {
  createVerificationLink,
  type VerificationLink,
} from '../../functions/api/users/account/verification.ts';
import { findByEmail } from '../../functions/api/users/record/users.ts';
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
 * Creates a super_admin and returns the generated password.
 * @throws CommandError when the email address has an account
 */
const createSuperAdmin = async (email: string): Promise<string> => {
  const { password } = await ensureFirstAdmin(email, undefined);
  if (password === undefined) {
    throw new CommandError(`${email} already has an account. No changes made.`);
  }
  return password;
};

/**
 * Creates a password reset link for an account.
 * @throws CommandError when the email address has no account
 */
const createLink = async (email: string): Promise<string> => {
  const user = await findByEmail(email);
  const link = user && (await createResetLink(user.id));
  if (link === undefined) throw new CommandError(`${email} has no account.`);
  return link;
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
Creates the first super_admin of a deployed stage, and prints the password once.
  --reset            prints a link that sets a new password of an existing account
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
    print(`Password reset link (expires in 1 hour): ${await createLink(email.data)}`);
    return;
  }
  if (values.verify) {
    const { url, email: verified } = await createVerification(email.data);
    print(
      `Link that verifies ${verified}, once signed in to the account (expires in 24 hours): ${url}`,
    );
    return;
  }
  const password = await createSuperAdmin(email.data);
  print(`Admin ${email.data} created, password ${password} (shown only once)`);
};

if (import.meta.main) await run(admin);
