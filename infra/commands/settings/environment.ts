import { isKnown } from '../../stack/settings/known-names.ts';
import { printProblem } from '../command.ts';

/** Says which environment variables a deployment doesn't read, though `npm start` does. */
export const printIgnored = (
  env: Readonly<Record<string, string | undefined>>,
  given: readonly string[],
): void => {
  const ignored = Object.keys(env).filter(
    (name) => isKnown(name) && env[name] && !given.some((value) => value.startsWith(`${name}=`)),
  );
  if (ignored.length === 0) return;
  printProblem(
    `A deployment doesn’t read environment variables: ${ignored.join(', ')}. Pass -c ${ignored[0]}=<value>, or write it into handbill.json.`,
  );
};
