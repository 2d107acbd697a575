import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { ObjectAction } from '../functions/function-config.ts';
import { filesCors } from './files-cors.ts';

/** The key prefixes in the bucket, with the reason for rights to the whole prefix. */
const reasons = {
  texts: 'Each text is an object, and this prefix contains nothing else.',
  files: 'Each file is an object, and this prefix contains nothing else.',
  uploads: 'Each upload is an object, and this prefix contains nothing else.',
} as const;

/** The bucket of files. Clients access it by presigned URLs only. It is retained unless the stack is ephemeral. */
export class FilesBucket extends Bucket {
  constructor(scope: Construct, id: string, ephemeral: boolean, origins: readonly string[]) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      encryption: BucketEncryption.S3_MANAGED,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // Deleted files must not remain as old versions.
      versioned: false,
      // Parts of incomplete uploads are billed but not listed.
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // The service deletes uploads itself, except those that arrive too late.
        { prefix: 'uploads/', expiration: Duration.days(2) },
      ],
      cors: [
        {
          allowedOrigins: [...origins],
          allowedMethods: filesCors.methods.map((method) => HttpMethods[method]),
          allowedHeaders: [...filesCors.headers],
          exposedHeaders: [...filesCors.exposed],
          maxAge: filesCors.maxAgeSeconds,
        },
      ],
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      // CloudFormation only deletes empty buckets; this adds a function that empties it.
      autoDeleteObjects: ephemeral,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only the service, and clients with a URL that it signed for one user, access objects. Its access log contains these requests; a log of the bucket would cost more than the files.',
    });
  }

  /** Allows the grantee these actions on the objects of a prefix. */
  allow(grantee: IFunction, prefix: keyof typeof reasons, actions: readonly ObjectAction[]): void {
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `s3:${action}`),
      resourceArns: [this.arnForObjects(`${prefix}/*`)],
    });
    const bucket = Stack.of(this).getLogicalId(this.node.defaultChild as CfnBucket);
    Validations.of(grantee.role as IRole).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/${prefix}/*]`,
      reason: reasons[prefix],
    });
  }
}
