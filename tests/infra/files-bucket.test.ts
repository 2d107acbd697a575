import { describe, expect, it } from 'vitest';
import { type FunctionName, functionConfigs } from '../../infra/functions/function-config.ts';
import { apiIds, synthesize, template } from '../support/infra/stack-template.ts';

const bucket = 'AWS::S3::Bucket';
const rule = {
  AllowedMethods: ['GET', 'HEAD', 'POST', 'PUT'],
  AllowedHeaders: ['*'],
  ExposedHeaders: ['ETag'],
  MaxAge: 3_600,
};

const withOrigins = (...AllowedOrigins: unknown[]) => ({
  CorsConfiguration: { CorsRules: [{ ...rule, AllowedOrigins }] },
});

describe('the files bucket', () => {
  it('allows CORS requests from the service and the configured origins', () => {
    const endpoint = { 'Fn::GetAtt': [apiIds.service, 'ApiEndpoint'] };
    template.hasResourceProperties(bucket, withOrigins(endpoint));
    synthesize({
      PUBLIC_URL: 'https://files.example.com',
      corsOrigins: 'https://app.example.com',
    }).hasResourceProperties(
      bucket,
      withOrigins('https://files.example.com', 'https://app.example.com'),
    );
  });

  it('is an existing one if asked, with the rights that one of its own would have', () => {
    const existing = synthesize({ existingBucket: 'files-of-before' });
    existing.resourceCountIs(bucket, 0);
    const rights = JSON.stringify(existing.findResources('AWS::IAM::Policy'));
    expect(rights).toContain(':s3:::files-of-before/texts/*');
    existing.hasOutput('FilesBucketName', { Value: 'files-of-before' });
  });

  it('is writable below files/ and uploads/ only for the files group and the jobs', () => {
    const mayDo = (kind: 'fileObjects' | 'uploads') =>
      Object.fromEntries(
        (Object.keys(functionConfigs) as FunctionName[])
          .map((purpose) => [purpose, functionConfigs[purpose][kind]] as const)
          .filter(([, actions]) => actions),
      );
    expect(mayDo('uploads')).toEqual({
      files: ['GetObject', 'PutObject', 'DeleteObject'],
      jobs: ['GetObject', 'DeleteObject'],
    });
    expect(mayDo('fileObjects')).toEqual({
      files: ['GetObject', 'PutObject', 'DeleteObject'],
      jobs: ['GetObject', 'PutObject', 'DeleteObject'],
      messages: ['GetObject'],
    });
    const statements = JSON.stringify(template.findResources('AWS::IAM::Policy'));
    expect(statements.match(/\/files\/\*/g)).toHaveLength(3);
    expect(statements.match(/\/uploads\/\*/g)).toHaveLength(2);
  });
});
