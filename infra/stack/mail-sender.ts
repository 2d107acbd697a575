import { Stack, Validations } from 'aws-cdk-lib';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

/**
 * Lets a function send mail from an address. Which identities SES looks at is not only the sender's: in the sandbox it
 * asks for those of the recipients too, and a verified parent domain stands for the address as well.
 * https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html
 */
export const allowMailFrom = (sender: IFunction, address: string): void => {
  const identities = Stack.of(sender).formatArn({
    service: 'ses',
    resource: 'identity',
    resourceName: '*',
  });
  Grant.addToPrincipal({
    grantee: sender,
    actions: ['ses:SendEmail'],
    resourceArns: [identities],
    conditions: { StringEquals: { 'ses:FromAddress': address } },
  });
  Validations.of(sender.role as IRole).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
    reason: 'The condition allows one sender only, whoever the recipients are.',
  });
};
