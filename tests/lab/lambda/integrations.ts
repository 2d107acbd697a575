import { hosts } from '../../../functions/routes.ts';
import type { Host } from '../../../shared/http/host.ts';
import type { DeployedFunction, Resources } from './stack.ts';

interface RouteProperties {
  readonly ApiId: { readonly Ref: string };
  readonly RouteKey: string;
  /** Contains `integrations/` and the integration's id. */
  readonly Target: {
    readonly 'Fn::Join': readonly [string, readonly [string, { readonly Ref: string }]];
  };
}
interface IntegrationProperties {
  readonly IntegrationUri: { readonly 'Fn::GetAtt': readonly [string, 'Arn'] };
  readonly PayloadFormatVersion: string;
}

/** Returns function names by host and route key, as integrated in the template. */
export const integrationsOf = (
  resources: Resources,
  functions: readonly DeployedFunction[],
): Map<string, string> => {
  const propertiesOf = (id: string): unknown => resources[id]?.Properties;
  const hostOf = (apiId: string): Host | undefined => {
    const { Name } = propertiesOf(apiId) as { readonly Name: string };
    return (Object.keys(hosts) as Host[]).find((host) => Name.endsWith(`-${host}`));
  };
  return new Map(
    Object.values(resources)
      .filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route')
      .map(({ Properties }) => {
        const { ApiId, RouteKey, Target } = Properties as unknown as RouteProperties;
        const [, [, integration]] = Target['Fn::Join'];
        const { IntegrationUri, PayloadFormatVersion } = propertiesOf(
          integration.Ref,
        ) as IntegrationProperties;
        const [functionId] = IntegrationUri['Fn::GetAtt'];
        const name = functions.find(({ id }) => id === functionId)?.name;
        if (name === undefined || PayloadFormatVersion !== '2.0') {
          throw new Error(`${RouteKey} leads to no function, or not in the format 2.0`);
        }
        return [`${hostOf(ApiId.Ref)} ${RouteKey}`, name];
      }),
  );
};
