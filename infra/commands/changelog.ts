import { CommandError } from './command.ts';

const unreleased = '## [Unreleased]';

/** A released version at the start of its section: `## [1.2.0] - 2026-11-29`. */
const released = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm;

/** Compares two versions such as `1.10.0` by their numbers: negative if the first is lower, 0 if they are equal. */
export const compareVersions = (first: string, second: string): number => {
  const [a, b] = [first, second].map((version) => version.split('.').map(Number));
  const at = [0, 1, 2].find((part) => a?.[part] !== b?.[part]) ?? 0;
  return (a?.[at] ?? 0) - (b?.[at] ?? 0);
};

/** Returns the highest version that a changelog has a section of; undefined before the first release. */
export const lastVersion = (changelog: string): string | undefined =>
  [...changelog.matchAll(released)]
    .map(([, version = '']) => version)
    .toSorted(compareVersions)
    .at(-1);

/**
 * Returns the changelog (https://keepachangelog.com) in which what was unreleased is a version of this day (`2026-11-29`).
 * @throws CommandError if nothing is unreleased, or the version isn't higher than the last one
 */
export const releaseChanges = (changelog: string, version: string, day: string): string => {
  const start = changelog.indexOf(`${unreleased}\n`);
  if (start < 0) {
    throw new CommandError(
      `Add the heading “${unreleased}” to CHANGELOG.md, and what changed below it.`,
    );
  }
  const from = start + unreleased.length;
  const next = changelog.indexOf('\n## ', from);
  const changes = changelog.slice(from, next < 0 ? undefined : next);
  if (!/^- /m.test(changes)) {
    throw new CommandError(
      'Say in CHANGELOG.md, below “Unreleased”, what changed for users and operators.',
    );
  }
  const last = lastVersion(changelog);
  if (last !== undefined && compareVersions(version, last) <= 0) {
    throw new CommandError(`Choose a version above ${last}, the last one in CHANGELOG.md.`);
  }
  return `${changelog.slice(0, from)}\n\n## [${version}] - ${day}${changelog.slice(from)}`;
};
