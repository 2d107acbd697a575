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

/** What lies in the bucket, by what its keys begin with: texts of records, files, and what is being uploaded. */
const reasons = {
  texts: 'Every text is an object of its own, and this prefix holds nothing else.',
  files: 'Every file is an object of its own, and this prefix holds nothing else.',
  uploads: 'Every upload is an object of its own, and this prefix holds nothing else.',
} as const;

/**
 * Where files lie. Nobody reads it but by a presigned URL, pages of these origins too. It is kept when the stack goes,
 * unless that is ephemeral.
 */
export class FilesBucket extends Bucket {
  constructor(scope: Construct, id: string, ephemeral: boolean, origins: readonly string[]) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      encryption: BucketEncryption.S3_MANAGED,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // What a user deletes is gone; a version of it would not be.
      versioned: false,
      // The parts of an upload that nobody ended are paid for but never listed.
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // The service deletes these itself; this is for what a form brings that somebody sends very slowly.
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
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      // CloudFormation deletes no bucket that holds something; this brings a function that empties it.
      autoDeleteObjects: ephemeral,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Every request to an object is made by the service or with a URL that it signed for one user, and its access log has that call; a log of the bucket would cost more than the files.',
    });
  }

  /** Lets the grantee do just these to the objects of a prefix. */
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
