import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, transformSync } from 'esbuild';
import { SettingError } from '../../../shared/runtime/settings.ts';
import { stageName } from '../stack-name.ts';
import { parseDeploymentSetting } from '../stack-settings.ts';
import { toText } from './choices.ts';
import { assertKnown } from './known-names.ts';

/** The file of the settings of all stages, which git ignores. */
export const fileName = 'handbill.json';

const filePath = join(import.meta.dirname, '../../..', fileName);

/** What the file holds. */
export interface SettingsFile {
  /** The stages that it has settings of. */
  readonly stages: readonly string[];
  /** The settings of the stage that was asked for, as text. */
  readonly values: Readonly<Record<string, string>>;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the first thing that is no JSON, or a key that is there twice, of which `JSON.parse` would drop one. */
const findProblem = (text: string): Message | undefined => {
  try {
    const { warnings } = transformSync(text, { loader: 'json', logLevel: 'silent' });
    return warnings[0];
  } catch (error) {
    return (error as { readonly errors: readonly Message[] }).errors[0];
  }
};

const parseJson = (text: string): unknown => {
  const problem = findProblem(text);
  if (problem) {
    const { line = 1, column = 0 } = problem.location ?? {};
    throw new SettingError(
      `${fileName} isn’t valid JSON at line ${line}, column ${column + 1}: ${problem.text}.`,
    );
  }
  return JSON.parse(text);
};

const parseAt = (where: string, name: string, text: string): unknown => {
  try {
    return parseDeploymentSetting(name, text);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new SettingError(error.message.replace(name, `${name} ${where}`));
  }
};

/** Returns the value of a setting as text, checked by the setting's own rule. */
const readValue = (stage: string, name: string, value: unknown): string => {
  const where = `of stage ${stage} in ${fileName}`;
  assertKnown(name, where);
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (!isList && !['string', 'number', 'boolean'].includes(typeof value)) {
    throw new SettingError(
      `Set ${name} ${where} to a text, a number, true, false or a list of texts.`,
    );
  }
  const text = toText(value);
  const parsed = parseAt(where, name, text);
  if (typeof value === 'boolean' && typeof parsed !== 'boolean') {
    throw new SettingError(`Set ${name} ${where} to a text or a number, not to ${value}.`);
  }
  return text;
};

/**
 * Parses the settings of all stages, `{"prod": {"REGISTRATION": "invite"}}`, and returns those of a stage.
 * @throws SettingError for the first thing that is wrong: no JSON, a stage that can't be one, an unknown setting of the
 * stage or an invalid value
 */
export const parseSettingsFile = (content: string, stage: string): SettingsFile => {
  const stages = parseJson(content.replace(/^\uFEFF/, ''));
  if (!isObject(stages)) {
    throw new SettingError(
      `${fileName} has no stages. Write {"prod": {"REGISTRATION": "invite"}}, for instance.`,
    );
  }
  for (const [name, values] of Object.entries(stages)) {
    if (!stageName.schema.safeParse(name).success) {
      throw new SettingError(
        `${fileName} has a stage named ${JSON.stringify(name)}. Name it with ${stageName.rule}; settings are in a stage.`,
      );
    }
    if (!isObject(values)) {
      throw new SettingError(
        `Set ${name} in ${fileName} to the settings of that stage, such as {"REGISTRATION": "invite"}.`,
      );
    }
  }
  const values = Object.entries((stages[stage] ?? {}) as Members);
  return {
    stages: Object.keys(stages),
    values: Object.fromEntries(
      values.map(([name, value]) => [name, readValue(stage, name, value)]),
    ),
  };
};

/**
 * Reads the settings of a stage from `handbill.json`; `undefined` without that file.
 * @throws SettingError for the first thing that is wrong
 */
export const readSettingsFile = (stage: string, path = filePath): SettingsFile | undefined => {
  try {
    return parseSettingsFile(readFileSync(path, 'utf8'), stage);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
