import * as z from 'zod';

/** What a stage may be called; names of resources are made of it. */
export const stageName = {
  schema: z
    .string()
    .regex(/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/)
    .default('prod'),
  rule: 'a name of at most 20 small letters, digits and hyphens, such as prod or dev',
} as const;

/** The stack of a stage. Stages live side by side in one account, so each has a stack of its own. */
export const getStackName = (stage: string): string => `Handbill-${stage}`;

/** What the stack tells about itself. The commands find the stage's resources by it. */
export const outputNames = [
  'ServiceUrl',
  'SnippetsUrl',
  'TableName',
  'FilesBucketName',
  'SigningSecretId',
  'LongestTokenSeconds',
  'Ephemeral',
] as const;

export type OutputName = (typeof outputNames)[number];
