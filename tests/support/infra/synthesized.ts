import type { Template } from 'aws-cdk-lib/assertions';

/** The templates that this process has synthesized, by their context values. */
export const synthesized = new Map<string, Template>();
