import * as z from 'zod';

/** Where a value was chosen. A proposal is one that `--yes` took. */
const sources = ['-c', 'answer', 'proposal', 'handbill.json'] as const;
export type Source = (typeof sources)[number];

/** A chosen value of a setting. An empty one chooses the default. */
export interface Choice {
  readonly value: string;
  readonly from: Source;
}

/** The chosen settings of a deployment, by name. */
export type Choices = Readonly<Record<string, Choice>>;

export const choicesSchema = z.record(
  z.string(),
  // A source that only a later version knows is someone's choice, too.
  z.object({ value: z.string(), from: z.enum(sources).catch('-c') }),
);

/** The value of the CDK's context by which `npm run deploy` passes all settings, with their sources. */
const contextName = 'handbill:settings';

/** Returns the context value (`name=value`) that passes these settings, and no others, to the app. */
export const toContextValue = (choices: Choices): string =>
  `${contextName}=${JSON.stringify(choices)}`;

/** Returns the settings that a context passes; `undefined` for one of `cdk` alone. */
export const fromContext = (context: Readonly<Record<string, unknown>>): Choices | undefined => {
  const passed = context[contextName];
  return passed === undefined ? undefined : choicesSchema.parse(JSON.parse(String(passed)));
};

/** Returns values from one source as choices. */
export const chooseAll = (values: Readonly<Record<string, string>>, from: Source): Choices =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, from }]));

/** Returns the values of choices, from wherever they are. */
export const toValues = (choices: Choices): Record<string, string> =>
  Object.fromEntries(Object.entries(choices).map(([name, { value }]) => [name, value]));

/** Returns a value of the context or of JSON as the text that a command line would have for it. */
export const toText = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : String(value);
