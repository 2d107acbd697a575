import * as z from 'zod';

/** The rule for stage names, which are part of resource names. */
export const stageName = {
  schema: z
    .string()
    .regex(/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/)
    .default('prod'),
  rule: 'a name of at most 20 lowercase letters, digits and hyphens, such as prod or dev',
} as const;

/** Returns the name of a stage's stack. One account can have several stages. */
export const getStackName = (stage: string): string => `Handbill-${stage}`;

/**
 * The name in the context by which `npm run deploy` creates a stack unprotected, and protects it once it runs: the CDK does
 * that before, and a protected stack whose creation failed can't be deleted.
 */
export const unprotectedContext = 'handbill:unprotected';

/** The outputs of the stack, by which commands find its resources. */
export const outputNames = [
  'ServiceUrl',
  'SnippetsUrl',
  'TableName',
  'FilesBucketName',
  'SigningSecretId',
  'LongestTokenSeconds',
  'Ephemeral',
] as const;

/** The outputs of some stages. */
export type OptionalOutputName = 'SpendingLimit';

export type OutputName = (typeof outputNames)[number];
