import { type Choices, toValues } from '../../stack/settings/choices.ts';

/** Quotes what a shell would read otherwise. */
const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the command that deploys a destroyed stage again, with what it retained and the settings that it forgets. */
export const describeRedeployment = (
  stage: string,
  remembered: Choices,
  retained: Readonly<Record<string, string>>,
): string => {
  const all = Object.entries({ ...toValues(remembered), ...retained }).filter(
    ([, value]) => value !== '',
  );
  const flags = all.map(([name, value]) => ` -c ${quote(`${name}=${value}`)}`);
  return `Deploy it again, with what is retained and its settings: npm run deploy -- --stage ${stage}${flags.join('')}`;
};
