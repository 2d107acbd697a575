import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StackSettings } from '../stack-settings.ts';

/** The secret that signs tokens and cursors: 64 generated letters and digits (381 bits). */
export class SigningSecret extends Construct {
  readonly secretArn: string;

  constructor(scope: Construct, id: string, { existingSecret, ephemeral }: StackSettings) {
    super(scope, id);
    this.secretArn = existingSecret ?? this.#create(ephemeral).secretArn;
  }

  #create(ephemeral: boolean): Secret {
    const secret = new Secret(this, 'Secret', {
      description: 'Signs the tokens and cursors of Handbill',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      // It is retained with the table, so that sessions survive a new stack.
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'It is rotated by `npm run rotate-secret`. The functions accept the current and the previous version, so rotating twice within a session’s lifetime would end the session.',
    });
    return secret;
  }

  /** Allows the grantee to read the current and the previous version of the secret. */
  allow(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [this.secretArn],
    });
  }
}
