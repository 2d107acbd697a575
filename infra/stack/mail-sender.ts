import { Stack, Validations } from 'aws-cdk-lib';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

/**
 * Allows a function to send email from an address. The resource includes all identities, because SES also checks those of
 * recipients in the sandbox, and a verified parent domain may stand for the address.
 * https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html
 */
export const allowSendingEmail = (sender: IFunction, address: string): void => {
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
    reason: 'The condition allows a single sender address.',
  });
};
