import {
  type Choices,
  chooseAll,
  type Source,
  toContextValue,
  toValues,
} from '../../stack/settings/choices.ts';
import { assertKnown, isKnown } from '../../stack/settings/known-names.ts';
import { pickProviderValues } from '../../stack/settings/provider-values.ts';
import { fileName, type SettingsFile } from '../../stack/settings/settings-file.ts';
import {
  parseDeploymentSetting,
  readStackSettings,
  type StackSettings,
} from '../../stack/stack-settings.ts';
import { type Ask, isConfirmed, Unanswered } from '../ask.ts';
import { CommandError, print } from '../command.ts';
import { describeValue, printChanges } from './changes.ts';
import { askFirst } from './first-questions.ts';

/** What a deployment of a stage is asked for, and by whom. */
export interface SettingsRequest {
  readonly stage: string;
  /** The values of the command line: `name=value`. */
  readonly given: readonly string[];
  /** `handbill.json`, if there is one. */
  readonly file: SettingsFile | undefined;
  /** What the stack remembers. */
  readonly remembered: Choices;
  /** Whether the stage has never been deployed. */
  readonly isFirst: boolean;
  /** Whether changes are taken without asking. */
  readonly isUnattended: boolean;
  /** Which settings of `dataSettings` may change. */
  readonly replaceable: readonly string[];
  readonly confirm: Ask;
}

/** The settings of a deployment. */
export interface ResolvedSettings {
  readonly settings: StackSettings;
  readonly choices: Choices;
  /** The context value (`name=value`) that passes them to the CDK. */
  readonly context: string;
}

/** Settings by which a stage can lose its data. */
export const dataSettings = ['existingTable', 'existingBucket', 'existingSecret', 'ephemeral'];

/**
 * Reads the values of a command line.
 * @throws CommandError for a value without a name or with the name `stage`, or a second value; SettingError for an unknown name, with the
 *   nearest one, or an invalid value
 */
const parseGiven = (given: readonly string[]): Readonly<Record<string, string>> => {
  const values: Record<string, string> = {};
  for (const text of given) {
    const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || name === 'stage') {
      throw new CommandError(
        `Invalid context ${JSON.stringify(text)}. Use --context name=value, and --stage name for the stage.`,
      );
    }
    assertKnown(name);
    parseDeploymentSetting(name, value);
    const other = values[name];
    if (other !== undefined && other !== value) {
      throw new CommandError(
        `${name} has two values: ${describeValue(name, other)} and ${describeValue(name, value)}. Pass one.`,
      );
    }
    values[name] = value;
  }
  return values;
};

/** Leaves out what another version remembered and this one doesn't know. */
const withoutUnknown = (remembered: Choices): Choices => {
  const known = Object.entries(remembered).filter(([name]) => isKnown(name));
  const unknown = Object.keys(remembered).filter((name) => !isKnown(name));
  if (unknown.length > 0) {
    print(`Not used: ${unknown.join(', ')}. This version of Handbill has no such setting.`);
  }
  return Object.fromEntries(known);
};

interface Origins {
  readonly given: Readonly<Record<string, string>>;
  readonly file: Readonly<Record<string, string>>;
  readonly remembered: Choices;
}

/** Asks for a yes. Where nobody is asked, it is a no. */
const isAgreed = async (question: string, confirm: Ask): Promise<boolean> => {
  try {
    return await isConfirmed(question, confirm);
  } catch (error) {
    if (error instanceof Unanswered) return false;
    throw error;
  }
};

/**
 * Asks for each value of the file that contradicts one that a person chose, which a file must not undo unnoticed.
 * @throws CommandError unless the answer is yes
 */
const settleConflicts = async (
  { given, file, remembered }: Origins,
  confirm: Ask,
): Promise<void> => {
  for (const [name, value] of Object.entries(file)) {
    const before = remembered[name];
    if (name in given || before === undefined || before.value === value) continue;
    if (before.from !== '-c' && before.from !== 'answer') continue;
    const [from, to] = [describeValue(name, before.value), describeValue(name, value)];
    const question = `${name}: ${from} was chosen on the command line, ${fileName} has ${to}. Take that of ${fileName}?`;
    if (await isAgreed(question, confirm)) continue;
    throw new CommandError(
      `${fileName} contradicts ${name}=${before.value}, which was chosen on the command line. Pass -c ${name}=${before.value} or -c ${name}=${value}, or correct ${fileName}.`,
    );
  }
};

const whatIsLost = (name: string): string =>
  name === 'ephemeral'
    ? 'backups would end, and destroying the stage would delete its data'
    : 'the stage would leave behind what it has stored';

/** @throws CommandError for a change by which the stage can lose its data */
const assertKeepsData = (before: Choices, after: Choices, fixed: readonly string[]): void => {
  for (const name of fixed) {
    const [from = '', to = ''] = [before, after].map((choices) => choices[name]?.value);
    if (from === to || (name === 'ephemeral' && to !== 'true')) continue;
    throw new CommandError(
      `${name} would change from ${describeValue(name, from)} to ${describeValue(name, to)}: ${whatIsLost(name)}. Pass --replace-data if it should, or -c ${name}=${from} to keep it.`,
    );
  }
};

/** The command line comes first, then the file, then what the stack remembers. What the file has, too, is the file's. */
const merge = ({ given, file, remembered }: Origins): Choices => {
  const sourceOf = (name: string): Source => (file[name] === given[name] ? fileName : '-c');
  const chosen = Object.entries(given).map(
    ([name, value]) => [name, { value, from: sourceOf(name) }] as const,
  );
  return { ...remembered, ...chooseAll(file, fileName), ...Object.fromEntries(chosen) };
};

/** Says what a file no longer has, and the stage keeps. */
const describeKept = (file: SettingsFile, after: Choices): string | undefined => {
  const kept = Object.keys(after).filter(
    (name) => after[name]?.from === fileName && !(name in file.values),
  );
  if (kept.length === 0) return undefined;
  return `Kept, though ${fileName} no longer has it: ${kept.join(', ')}. Return to a default with -c name=.`;
};

/** Says if the file has settings, but none of this stage. */
const describeMissing = (file: SettingsFile, stage: string): string | undefined =>
  file.stages.length === 0 || file.stages.includes(stage)
    ? undefined
    : `${fileName} has no stage ${stage}, only ${file.stages.join(', ')}.`;

const readAll = (stage: string, choices: Choices): StackSettings =>
  readStackSettings(
    (name) => (name === 'stage' ? stage : choices[name]?.value),
    process.env['AWS_REGION'],
    pickProviderValues(toValues(choices)),
  );

/**
 * Checks that the settings of a deployment are known, valid and go together, as far as they can be without a question.
 * @throws SettingError, CommandError
 */
export const checkSettings = ({
  stage,
  ...request
}: Pick<SettingsRequest, 'stage' | 'given' | 'file' | 'remembered'>): Origins & {
  readonly merged: Choices;
} => {
  const given = parseGiven(request.given);
  const origins = { given, file: request.file?.values ?? {}, remembered: request.remembered };
  const merged = merge(origins);
  readAll(stage, merged);
  return { ...origins, merged };
};

/**
 * Decides the settings of a deployment: of the command line, then of `handbill.json`, then what the stack remembers. Shows
 * what changes and asks for it; the first deployment asks who may register, too.
 * @throws SettingError for an unknown or invalid setting; CommandError without consent, which says how to give it
 */
export const resolveSettings = async (request: SettingsRequest): Promise<ResolvedSettings> => {
  const { stage, file, isFirst, isUnattended, confirm } = request;
  const remembered = withoutUnknown(request.remembered);
  const { merged, ...origins } = checkSettings({ ...request, remembered });
  const fixed = isFirst ? [] : dataSettings.filter((name) => !request.replaceable.includes(name));
  assertKeepsData(remembered, merged, fixed);
  await settleConflicts(origins, confirm);
  const missing = file && describeMissing(file, stage);
  // Who mistyped a stage's name can cancel at the first question.
  if (missing !== undefined) print(missing);
  const choices = isFirst ? await askFirst(merged, { isUnattended, confirm }) : merged;
  const settings = readAll(stage, choices);
  const kept = file && describeKept(file, choices);
  if (kept !== undefined) print(kept);
  const isChanged = printChanges(stage, remembered, choices);
  if (isChanged && !isUnattended) {
    if (!(await isConfirmed('Deploy with these settings?', confirm))) {
      throw new CommandError('Canceled. Pass --yes to deploy with these settings without asking.');
    }
  }
  return { settings, choices, context: toContextValue(choices) };
};
