import { Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

/** Lets a function send mail from an address, whether SES has verified the address itself or its domain. */
export const allowMailFrom = (sender: IFunction, address: string): void => {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  Grant.addToPrincipal({
    grantee: sender,
    actions: ['ses:SendEmail'],
    resourceArns: [address, domain].map((resourceName) =>
      Stack.of(sender).formatArn({ service: 'ses', resource: 'identity', resourceName }),
    ),
  });
};
