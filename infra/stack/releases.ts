import type { Stack } from 'aws-cdk-lib';
import * as z from 'zod';
import { deploymentKey } from './settings/memory.ts';

const release = z.object({
  version: z.string(),
  // Git may know none.
  commit: z
    .string()
    .transform((id) => (id === 'unknown' ? undefined : id))
    .optional(),
});

/** What was deployed: the version, and the commit with `-dirty` after changes, where Git knew one. */
export type Release = z.output<typeof release>;

const releases = z.object({ running: release, previous: release.optional() });

/** The release that a stage runs, and the one that it ran before. */
export type Releases = z.output<typeof releases>;

/** The name in the context by which `npm run deploy` tells the app what runs. */
const contextName = 'handbill:releases';

/** The name in the template's metadata of what ran before; `deploymentKey` there is what the template deploys. */
const previousKey = 'HandbillPrevious';

/** Returns the context value (`name=value`) that tells the app what runs. */
export const toReleasesContext = (running: Releases): string =>
  `${contextName}=${JSON.stringify(running)}`;

/** Lets a stack remember what ran before the commit that is deployed. Deploying a commit again keeps what ran before it. */
export const rememberPrevious = (stack: Stack, commit: string | undefined): void => {
  const passed: unknown = stack.node.tryGetContext(contextName);
  if (passed === undefined) return;
  const { running, previous } = releases.parse(JSON.parse(String(passed)));
  const former = commit !== undefined && running.commit === commit ? previous : running;
  if (former === undefined) return;
  stack.templateOptions.metadata = { ...stack.templateOptions.metadata, [previousKey]: former };
};

/** Reads the releases from the metadata of a template, as text; `undefined` if it tells none. */
export const readReleases = (metadata: string | undefined): Releases | undefined => {
  const all = JSON.parse(metadata ?? '{}') as Readonly<Record<string, unknown>>;
  const found = releases.safeParse({ running: all[deploymentKey], previous: all[previousKey] });
  return found.data;
};
