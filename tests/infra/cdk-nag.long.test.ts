import type { Stack } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, CfnBucketPolicy } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { createStack } from '../support/infra/stack-template.ts';

/** Returns the findings of the AWS Solutions checks without a suppression. */
const findings = (stack: Stack): string[] =>
  new AwsSolutionsChecks(stack)
    .validateScope(stack)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    );

/** Adds a bucket that anyone can read, even over plain HTTP. */
const addPublicBucket = (stack: Stack): void => {
  const bucket = new Bucket(stack, 'Open', {
    blockPublicAccess: new BlockPublicAccess({
      blockPublicAcls: false,
      blockPublicPolicy: false,
      ignorePublicAcls: false,
      restrictPublicBuckets: false,
    }),
  });
  new CfnBucketPolicy(stack, 'OpenPolicy', {
    bucket: bucket.bucketName,
    policyDocument: {
      Statement: [
        {
          Effect: 'Allow',
          Principal: '*',
          Action: 's3:GetObject',
          Resource: bucket.arnForObjects('*'),
        },
      ],
    },
  });
};

const customDomain = {
  PUBLIC_URL: 'https://share.example.com',
  SNIPPETS_URL: 'https://snippets.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1234-abcd',
  hostedZoneId: 'Z0123456789',
  hostedZoneName: 'example.com',
};

const existing = {
  existingBucket: 'files-of-before',
  existingSecret: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:s-AbCdEf',
};

const edgeDomain = {
  ...customDomain,
  edge: true,
  certificateArn: '',
  edgeCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1234-abcd',
  webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/handbill/1234-abcd',
};

describe('the AWS Solutions checks', () => {
  it.each<[string, Record<string, unknown>]>([
    ['with the defaults', {}],
    ['with alarms and a budget', { alarmEmail: 'ops@example.com', monthlyBudget: 10 }],
    ['with CORS', { corsOrigins: ['https://app.example.com'] }],
    ['with a custom domain', customDomain],
    ['with an existing table', { existingTable: 'restored' }],
    ['with an existing bucket and secret', existing],
    ['with tracing', { tracing: true }],
    ['with a CDN', { edge: true }],
    ['with a CDN, its domain and a web ACL', edgeDomain],
    ['with email', { MAIL_FROM: 'service@example.com' }],
    ['if ephemeral', { stage: 'try', ephemeral: true }],
  ])('find no violations in the stack %s', (_, context) => {
    expect(findings(createStack(context).stack)).toEqual([]);
  });

  it('report a public bucket', () => {
    const { stack } = createStack();
    addPublicBucket(stack);
    expect(findings(stack)).toEqual(
      expect.arrayContaining([
        'AwsSolutions-S2 Handbill-prod/Open/Resource',
        'AwsSolutions-S10 Handbill-prod/Open/Resource',
      ]),
    );
  });

  it('stop the synthesis of a public bucket', () => {
    const { app, stack } = createStack();
    addPublicBucket(stack);
    expect(() => app.synth()).toThrow('AwsSolutions-S2');
  });
});

describe('the synthesis', () => {
  it.each<[string, Record<string, unknown>]>([
    ['of prod', { alarmEmail: 'ops@example.com' }],
    ['of an ephemeral stack', { stage: 'try', ephemeral: true }],
    ['with a custom domain', customDomain],
    ['with a CDN', { edge: true }],
    ['with a CDN and its domain', edgeDomain],
  ])('%s has no warnings', (_, context) => {
    const messages = createStack(context)
      .app.synth()
      .stacks.flatMap((stack) => stack.messages)
      .filter(({ level }) => level !== 'info');
    expect(messages).toEqual([]);
  });
});
