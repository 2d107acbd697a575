import { createHash } from 'node:crypto';
import type { Stack } from 'aws-cdk-lib';
import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import * as z from 'zod';
import { choicesSchema } from './choices.ts';

const schema = z.object({
  settings: choicesSchema,
  version: z.string(),
  commit: z.string().optional(),
});

/** What a stack remembers of its deployment: the chosen settings, which hold no secret, and which Handbill it is. */
export type Deployment = z.output<typeof schema>;

/** Its name in the metadata of the template. */
export const deploymentKey = 'Handbill';

/**
 * Lets a stack remember its deployment (decisions.md#settings-of-a-deployment). A resource of it changes, too, because
 * CloudFormation updates the metadata of a template only with a resource:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/metadata-section-structure.html
 */
export const remember = (stack: Stack, resource: IConstruct, deployment: Deployment): void => {
  stack.templateOptions.metadata = { [deploymentKey]: deployment };
  const digest = createHash('sha256').update(JSON.stringify(deployment)).digest('hex');
  const { defaultChild } = resource.node;
  if (!CfnResource.isCfnResource(defaultChild)) throw new Error('Only a resource has metadata');
  defaultChild.addMetadata(deploymentKey, digest);
};

/** Reads what a stack remembers from its template's metadata as text; `undefined` if that has none of Handbill. */
export const readDeployment = (metadata: string | undefined): Deployment | undefined => {
  const all = JSON.parse(metadata ?? '{}') as Readonly<Record<string, unknown>>;
  return all[deploymentKey] === undefined ? undefined : schema.parse(all[deploymentKey]);
};
