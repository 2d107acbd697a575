import * as z from 'zod';
import type { Host } from '../../shared/http/host.ts';

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

export type OutputName = (typeof outputNames)[number];

/** The outputs by host of what the operator's DNS entries lead to, where the stack creates none. */
export const dnsTargetOutputs = {
  service: 'ServiceDnsTarget',
  snippets: 'SnippetsDnsTarget',
} as const satisfies Record<Host, string>;

/** The outputs of some stages. */
export type OptionalOutputName =
  | 'SpendingLimit'
  | 'ProviderSecretsId'
  | (typeof dnsTargetOutputs)[keyof typeof dnsTargetOutputs];
