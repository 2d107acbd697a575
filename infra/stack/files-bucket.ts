import { type CfnResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { FunctionConfig } from '../functions/config/function-config.ts';
import type { ObjectAction } from '../functions/config/rights.ts';
import { filesCors } from './files-cors.ts';
import type { StackSettings } from './stack-settings.ts';

/** The key prefixes in the bucket, with the reason for rights to the whole prefix. */
const reasons = {
  texts: 'Each text is an object, and this prefix contains nothing else.',
  files: 'Each file is an object, and this prefix contains nothing else.',
  shares: 'Each file of a share is an object, and this prefix contains nothing else.',
  exports: 'Each export is an object, and this prefix contains nothing else.',
  uploads: 'Each upload is an object, and this prefix contains nothing else.',
  assets: 'Each asset of a build is an object, and this prefix contains nothing else.',
} as const;

/** As long as the table's backups reach, so that a restored table finds its objects. */
const deletedVersionDays = 35;

/**
 * Gives the CDK's function that empties the bucket a log group that is deleted with the stack, and no right to create another
 * one: Lambda would keep its own for good.
 */
const keepLogOfEmptying = (scope: Construct): void => {
  const stack = Stack.of(scope);
  const provider = stack.node.findChild('Custom::S3AutoDeleteObjectsCustomResourceProvider');
  const logs = new LogGroup(scope, 'EmptyingLogs', {
    retention: RetentionDays.ONE_DAY,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = provider.node.findChild('Role') as CfnResource;
  const handler = provider.node.findChild('Handler') as CfnResource;
  role.addPropertyDeletionOverride('ManagedPolicyArns');
  role.addPropertyOverride('Policies', [
    {
      PolicyName: 'Logs',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            Resource: logs.logGroupArn,
          },
        ],
      },
    },
  ]);
  handler.addPropertyOverride('LoggingConfig', { LogGroup: logs.logGroupName });
};

/**
 * The bucket of files and large texts. Clients access it by presigned URLs only. Unless the stack is ephemeral, it is
 * retained, and so is what was deleted for 35 days.
 */
export class FilesBucket extends Construct {
  readonly bucketName: string;
  readonly #bucket: Bucket | IBucket;

  constructor(scope: Construct, id: string, settings: StackSettings, origins: readonly string[]) {
    super(scope, id);
    const { existingBucket, ephemeral } = settings;
    this.#bucket =
      existingBucket === undefined
        ? this.#create(ephemeral, origins)
        : Bucket.fromBucketName(this, 'Bucket', existingBucket);
    this.bucketName = this.#bucket.bucketName;
  }

  #create(ephemeral: boolean, origins: readonly string[]): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      encryption: BucketEncryption.S3_MANAGED,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      versioned: !ephemeral,
      lifecycleRules: [
        // Parts of incomplete uploads are billed but not listed.
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // The service deletes uploads itself, except those that arrive too late. No record names their versions.
        {
          prefix: 'uploads/',
          expiration: Duration.days(2),
          ...(!ephemeral && { noncurrentVersionExpiration: Duration.days(1) }),
        },
        // The service deletes exports itself, after seven days. They are copies, so nothing is left of them after that.
        {
          prefix: 'exports/',
          expiration: Duration.days(8),
          ...(!ephemeral && { noncurrentVersionExpiration: Duration.days(1) }),
        },
        ...(ephemeral
          ? []
          : [
              {
                noncurrentVersionExpiration: Duration.days(deletedVersionDays),
                expiredObjectDeleteMarker: true,
              },
            ]),
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
    if (ephemeral) keepLogOfEmptying(this);
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only the service, and clients with a URL that it signed for one user, access objects. Its access log contains these requests; a log of the bucket would cost more than the files.',
    });
    return bucket;
  }

  /** Allows a function what its configuration says of each prefix. Returns whether that is anything. */
  allowConfigured(
    grantee: IFunction,
    { texts, fileObjects, shareObjects, exportObjects, uploads, assets }: FunctionConfig,
  ): boolean {
    const configured = {
      texts,
      files: fileObjects,
      shares: shareObjects,
      exports: exportObjects,
      uploads,
      assets,
    } satisfies Record<keyof typeof reasons, readonly ObjectAction[] | undefined>;
    const allowed = Object.entries(configured).filter(([, actions]) => actions);
    for (const [prefix, actions = []] of allowed) {
      this.allow(grantee, prefix as keyof typeof reasons, actions);
    }
    return allowed.length > 0;
  }

  /** Allows the grantee these actions on the objects of a prefix. Who reads them learns whether they exist. */
  allow(grantee: IFunction, prefix: keyof typeof reasons, actions: readonly ObjectAction[]): void {
    Grant.addToPrincipal({
      grantee,
      actions: actions.flatMap((action) => (action === 'ListBucket' ? [] : `s3:${action}`)),
      resourceArns: [this.#bucket.arnForObjects(`${prefix}/*`)],
    });
    const { defaultChild } = this.#bucket.node;
    const arn = defaultChild
      ? `<${Stack.of(this).getLogicalId(defaultChild as CfnBucket)}.Arn>`
      : `arn:<AWS::Partition>:s3:::${this.bucketName}`;
    Validations.of(grantee.role as IRole).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${arn}/${prefix}/*]`,
      reason: reasons[prefix],
    });
    if (!actions.includes('GetObject') && !actions.includes('ListBucket')) return;
    // S3 tells a missing object from a refused one only to those who may list it. That check may name no prefix.
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
    Grant.addToPrincipal({
      grantee,
      actions: ['s3:ListBucket'],
      resourceArns: [this.#bucket.bucketArn],
      conditions: { StringLikeIfExists: { 's3:prefix': `${prefix}/*` } },
    });
  }
}
