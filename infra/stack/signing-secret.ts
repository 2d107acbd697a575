import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/** The secret that signs tokens and cursors: 64 letters and digits (381 bits) that nobody has seen. */
export class SigningSecret extends Secret {
  constructor(scope: Construct, id: string, ephemeral: boolean) {
    super(scope, id, {
      description: 'Signs the tokens and cursors of Handbill',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      // Without it every session would end with the stack, though the table is kept.
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'It is rotated by `npm run rotate-secret`: the functions accept this version and the one before it, so a timer that rotates twice within the life of a session would end it.',
    });
  }

  /** Lets the grantee read the secret, the version before the current one too. */
  allow(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [this.secretArn],
    });
  }
}
