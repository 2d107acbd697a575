import { createResetLink } from '../../functions/api/users/account/password-link.ts';
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
import { readOutputs } from './stage-outputs.ts';

/** Points the service's code in this process at the data of a deployed stage. */
const useStage = async (stage: string): Promise<void> => {
  const { TableName, ServiceUrl } = await readOutputs(stage);
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

const usage = `Usage: npm run admin -- <email> [--reset] [--stage <name>] [--region <region>]
Creates the first super_admin of a deployed stage, and prints the password once.
  --reset            prints a link that sets a new password of an existing account
${stageUsage}`;

/** Runs `npm run admin -- <email> [--reset] [--stage <name>] [--region <region>]`. */
export const admin = async (args: readonly string[]): Promise<void> => {
  const { values, positionals } = parseCommand(usage, {
    args,
    options: { ...stageOptions, reset: { type: 'boolean' } },
    allowPositionals: true,
  });
  const stage = chooseStage(values);
  const email = Email.safeParse(positionals[0]);
  if (!email.success || positionals.length > 1) throw new CommandError(usage);
  await useStage(stage);
  if (values.reset) {
    print(`Password reset link (expires in 1 hour): ${await createLink(email.data)}`);
    return;
  }
  const password = await createSuperAdmin(email.data);
  print(`Admin ${email.data} created, password ${password} (shown only once)`);
};

if (import.meta.main) await run(admin);
