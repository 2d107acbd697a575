import { otherVariables, unreadSettings } from './exceptions.ts';

type Environment = Readonly<Record<string, string>>;

const isOther = (name: string): boolean => otherVariables.some((other) => other.name.test(name));

/** The settings that a function asks for and is not given. */
export const missingSettings = (read: ReadonlySet<string>, given: Environment): string[] =>
  [...read].filter((name) => name !== '' && !(name in given) && !isOther(name)).toSorted();

/** The settings that a function is given without ever asking, and without a reason. */
export const unreadOf = (read: ReadonlySet<string>, given: Environment): string[] =>
  Object.keys(given)
    .filter((name) => !read.has(name) && !(name in unreadSettings))
    .toSorted();
