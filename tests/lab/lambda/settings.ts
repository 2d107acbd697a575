import { otherVariables, unreadSettings } from './exceptions.ts';

type Environment = Readonly<Record<string, string>>;

const isOther = (name: string): boolean => otherVariables.some((other) => other.name.test(name));

/** Returns the settings that a function reads, but does not have. */
export const missingSettings = (read: ReadonlySet<string>, given: Environment): string[] =>
  [...read].filter((name) => name !== '' && !(name in given) && !isOther(name)).toSorted();

/** Returns the settings that a function has, but never reads, unless they have a reason. */
export const unreadOf = (read: ReadonlySet<string>, given: Environment): string[] =>
  Object.keys(given)
    .filter((name) => !read.has(name) && !(name in unreadSettings))
    .toSorted();
