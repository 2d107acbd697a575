import { settingNames } from '../../stack/stack-settings.ts';
import { printProblem } from '../command.ts';

/** Says which environment variables a deployment doesn't read, though `npm start` does. */
export const printIgnored = (
  env: Readonly<Record<string, string | undefined>>,
  given: readonly string[],
): void => {
  const ignored = settingNames.filter(
    (name) => env[name] && !given.some((value) => value.startsWith(`${name}=`)),
  );
  if (ignored.length === 0) return;
  printProblem(
    `A deployment doesn’t read environment variables: ${ignored.join(', ')}. Pass -c ${ignored[0]}=<value>, or write it into handbill.json.`,
  );
};
