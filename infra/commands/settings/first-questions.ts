import { SettingError } from '../../../shared/runtime/settings.ts';
import { type Choices, chooseAll } from '../../stack/settings/choices.ts';
import { parseDeploymentSetting, settingNames } from '../../stack/stack-settings.ts';
import { type Ask, Unanswered } from '../ask.ts';
import { CommandError, print } from '../command.ts';

/** How often a question is asked that gets no valid answer. */
const maxTries = 3;

/** What the first deployment proposes as a month's budget, in US dollars. */
const proposedBudget = '10';

interface Asking {
  readonly isUnattended: boolean;
  readonly confirm: Ask;
}

/** Answers besides those of the setting's rule. */
interface Answers {
  /** What Enter alone stands for. */
  readonly ifEmpty?: string;
  /** The answer that chooses the default. */
  readonly none?: string;
}

/**
 * Asks for the value of a setting until its rule accepts it.
 * @throws CommandError without a valid answer
 */
const askFor = async (
  name: string,
  question: string,
  { confirm, ifEmpty, none }: Answers & Pick<Asking, 'confirm'>,
): Promise<string> => {
  const undecided = () =>
    new CommandError(
      `Nobody has decided ${name}. Pass -c ${name}=<value>, or --yes for the default.`,
    );
  for (let tries = 0; tries < maxTries; tries++) {
    let answer: string;
    try {
      answer = (await confirm(question)).trim();
    } catch (error) {
      throw error instanceof Unanswered ? undecided() : error;
    }
    if (answer === '' && ifEmpty !== undefined) return ifEmpty;
    if (answer === none) return '';
    if (answer === '') continue;
    try {
      parseDeploymentSetting(name, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      print(error.message);
    }
  }
  throw undecided();
};

const askWhoRegisters = async ({ isUnattended, confirm }: Asking): Promise<Choices> => {
  if (isUnattended) {
    print('Anyone can register. For fewer people pass -c REGISTRATION=invite or closed.');
    return {};
  }
  print('Who may register?');
  print('  open    anyone who finds the address');
  print('  invite  people whom an administrator invites');
  print('  closed  no one: administrators create accounts and set their passwords');
  const REGISTRATION = await askFor('REGISTRATION', 'open, invite or closed: ', { confirm });
  return chooseAll({ REGISTRATION }, 'answer');
};

/** Proposes a budget. Someone must be told of it. */
const askBudget = async (
  email: string | undefined,
  { isUnattended, confirm }: Asking,
): Promise<Choices> => {
  if (isUnattended) return email ? chooseAll({ monthlyBudget: proposedBudget }, 'proposal') : {};
  const asked =
    email ??
    (await askFor('alarmEmail', 'Email address for alarms and costs (Enter for none): ', {
      confirm,
      ifEmpty: '',
    }));
  if (asked === '') return {};
  const question = `At how many US dollars a month, of the whole account, does AWS write to it? (Enter for ${proposedBudget}, 0 for none): `;
  const monthlyBudget = await askFor('monthlyBudget', question, {
    confirm,
    ifEmpty: proposedBudget,
    none: '0',
  });
  return chooseAll({ ...(email === undefined && { alarmEmail: asked }), monthlyBudget }, 'answer');
};

/**
 * Asks what only people can decide before the first deployment, unless it is chosen already: who may register, and of which
 * costs someone is told.
 */
export const askFirst = async (chosen: Choices, asking: Asking): Promise<Choices> => {
  if (!asking.isUnattended) {
    print(
      'This stage is new. If a destroyed one left its data, cancel and pass existingTable, existingBucket and existingSecret.',
    );
  }
  const registration = chosen['REGISTRATION'] ? {} : await askWhoRegisters(asking);
  const hasBudget =
    chosen['monthlyBudget'] !== undefined ||
    chosen['ephemeral']?.value === 'true' ||
    !settingNames.includes('monthlyBudget');
  const budget = hasBudget ? {} : await askBudget(chosen['alarmEmail']?.value, asking);
  return { ...chosen, ...registration, ...budget };
};
