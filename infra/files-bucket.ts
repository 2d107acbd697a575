import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** What can be asked of an object. */
export type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObject';

/** Where files lie. Nobody reads it but by a presigned URL. It is kept when the stack goes, unless that is ephemeral. */
export class FilesBucket extends Bucket {
  constructor(scope: Construct, id: string, ephemeral: boolean) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      encryption: BucketEncryption.S3_MANAGED,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // What a user deletes is gone; a version of it would not be.
      versioned: false,
      // The parts of an upload that nobody ended are paid for but never listed.
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
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

  /** Lets the grantee do just these to the texts of records. */
  allowTexts(grantee: IFunction, actions: readonly ObjectAction[]): void {
    Grant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `s3:${action}`),
      resourceArns: [this.arnForObjects('texts/*')],
    });
    const bucket = Stack.of(this).getLogicalId(this.node.defaultChild as CfnBucket);
    Validations.of(grantee.role as IRole).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/texts/*]`,
      reason: 'Every text is an object of its own, and this prefix holds nothing else.',
    });
  }
}
