import { createResetLink } from '../../functions/api/users/account/password-link.ts';
import { findByEmail } from '../../functions/api/users/record/users.ts';
import { Email } from '../../shared/input/fields.ts';
import { ensureFirstAdmin } from '../local/first-admin.ts';
import { CommandError, chooseStage, parseCommand, print, run, stageOptions } from './command.ts';
import { readOutputs } from './stage-outputs.ts';

/** Lets the code of the functions work, in this process, on the data of a deployed stage. */
const useStage = async (stage: string): Promise<void> => {
  const { TableName, ServiceUrl } = await readOutputs(stage);
  process.env['TABLE_NAME'] = TableName;
  process.env['PUBLIC_URL'] = ServiceUrl;
};

/**
 * Makes a super_admin with a password that is made up, and answers it.
 * @throws CommandError when the e-mail address has an account
 */
const makeSuperAdmin = async (email: string): Promise<string> => {
  const { password } = await ensureFirstAdmin(email, undefined);
  if (password === undefined) {
    throw new CommandError(`${email} has an account already; it was left as it is.`);
  }
  return password;
};

/**
 * A link with which the account's owner sets a new password.
 * @throws CommandError when the e-mail address has no account
 */
const makeResetLink = async (email: string): Promise<string> => {
  const user = await findByEmail(email);
  const link = user && (await createResetLink(user.id));
  if (link === undefined) throw new CommandError(`${email} has no account.`);
  return link;
};

const usage = 'Say whose: npm run admin -- <email> [--reset] [--stage <name>] [--region <region>]';

/** `npm run admin -- <email> [--reset] [--stage <name>] [--region <region>]` */
export const admin = async (args: readonly string[]): Promise<void> => {
  const { values, positionals } = parseCommand({
    args,
    options: { ...stageOptions, reset: { type: 'boolean' } },
    allowPositionals: true,
  });
  const stage = chooseStage(values);
  const email = Email.safeParse(positionals[0]);
  if (!email.success || positionals.length > 1) throw new CommandError(usage);
  await useStage(stage);
  if (values.reset) {
    print(`Set a new password within an hour at ${await makeResetLink(email.data)}`);
    return;
  }
  const password = await makeSuperAdmin(email.data);
  print(`super_admin  ${email.data}, password ${password} (shown this once)`);
};

if (import.meta.main) await run(admin);
