import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/**
 * The client secrets of providers as one JSON object, which `npm run secret` writes. The template creates it without a value,
 * because what it has could be read in CloudFormation.
 */
export class ProviderSecrets extends Construct {
  readonly secretArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const secret = new CfnSecret(this, 'Secret', {
      description: 'The client secrets of the providers that users of Handbill sign in at',
    });
    // A provider shows or makes a secret again.
    secret.applyRemovalPolicy(RemovalPolicy.DESTROY);
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Only the providers make these secrets. `npm run secret` replaces them.',
    });
    this.secretArn = secret.ref;
  }

  /** Allows the grantee to read the secrets. */
  allow(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [this.secretArn],
    });
  }
}
