import { Stack, Validations } from 'aws-cdk-lib';
import { Grant, type IGrantable, type IRole } from 'aws-cdk-lib/aws-iam';
import type { HostApi } from './http-api.ts';

/**
 * Allows the grantee to set and delete the limits of single routes of an API. Nothing else of a stage has a path below it, but
 * PATCH may change all of the stage: there is no narrower right.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonapigatewaymanagementv2.html
 */
export const allowRouteLimits = (grantee: IGrantable, api: HostApi): void => {
  const arn = (path: string): string =>
    Stack.of(api).formatArn({
      service: 'apigateway',
      account: '',
      resource: `/apis/${api.apiId}/${path}`,
    });
  const allow = (actions: string[], paths: readonly string[]): void => {
    Grant.addToPrincipal({ grantee, actions, resourceArns: paths.map(arn) });
  };
  allow(['apigateway:GET'], ['routes', 'stages/$default']);
  allow(['apigateway:PATCH'], ['stages/$default']);
  allow(['apigateway:DELETE'], ['stages/$default/routesettings/*']);
  Validations.of(grantee.grantPrincipal as IRole).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:apigateway:<AWS::Region>::/apis/<${Stack.of(api).getLogicalId(api.node.defaultChild as never)}>/stages/$default/routesettings/*]`,
    reason: 'The limits that the brake has set, of any route.',
  });
};
