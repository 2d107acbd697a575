import { GetTemplateSummaryCommand } from '@aws-sdk/client-cloudformation';
import { type Release, type Releases, readReleases } from '../../stack/releases.ts';
import { getStackName } from '../../stack/stack-name.ts';
import { createCloudFormation, findStack, getState } from '../stack-state.ts';

/** Reads which releases a stage runs and ran; `undefined` if it isn't deployed or tells none. */
export const findReleases = async (stage: string): Promise<Releases | undefined> => {
  const state = getState(await findStack(stage));
  if (state === 'new' || state === 'not-created' || state === 'not-deleted') return undefined;
  const command = new GetTemplateSummaryCommand({ StackName: getStackName(stage) });
  return readReleases((await createCloudFormation().send(command)).Metadata);
};

/** Returns a release as people read it, such as `0.2.0 (1a2b3c4)`. */
export const describeRelease = ({ version, commit }: Release): string => {
  const [id, dirty] = commit?.split('-') ?? [];
  if (id === undefined) return `${version} (without Git)`;
  return `${version} (${id.slice(0, 7)}${dirty ? ', with changes that weren’t committed' : ''})`;
};

/** Returns what to run if a release that was just deployed doesn't work. */
export const describeWayBack = async (stage: string): Promise<string> => {
  const previous = (await findReleases(stage))?.previous;
  const option = stage === 'prod' ? '' : ` -- --stage ${stage}`;
  if (!previous) return 'The stage runs it nevertheless. It has no former release to go back to.';
  return `The stage runs it nevertheless. Go back to ${describeRelease(previous)}: npm run rollback${option}`;
};
