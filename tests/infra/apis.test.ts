// The APIs of the template: which function answers what, access logs, throttling and CORS. What API Gateway does with them
// on this machine is in `local/gateway.test.ts`.

import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { listGroups, listRoutes } from '../../functions/routes.ts';
import { formatEndpoints } from '../../infra/build/endpoints.ts';
import { listRouteKeys } from '../../infra/functions/route-keys.ts';
import { listEndpoints } from '../../shared/http/fallback.ts';
import type { Host } from '../../shared/http/host.ts';
import {
  allHosts,
  apiIds,
  chosen,
  functionOf,
  mentions,
  otherwiseChosen,
  type Properties,
  resources,
  synthesize,
  template,
} from '../support/infra/stack-template.ts';

/** Returns the one resource of a type that belongs to the host's API. */
const ofApi = (type: string, host: Host): Properties => {
  const [only, ...others] = resources(type).filter(
    ([, { ApiId }]) => (ApiId as { Ref: string }).Ref === apiIds[host],
  );
  if (!only || others.length > 0) throw new Error(`${host} has not one ${type}`);
  return only[1];
};

describe('the APIs', () => {
  it('have the routes of their keys, each to the function of its group, and send all else to the fallback of the host', () => {
    const integrations = new Map(resources('AWS::ApiGatewayV2::Integration'));
    const targets = resources('AWS::ApiGatewayV2::Route').map(([, { ApiId, RouteKey, Target }]) => {
      const [, [, { Ref }]] = (Target as { 'Fn::Join': [string, [string, { Ref: string }]] })[
        'Fn::Join'
      ];
      const { IntegrationUri, PayloadFormatVersion } = integrations.get(Ref) as Properties;
      return { ApiId, RouteKey, IntegrationUri, PayloadFormatVersion };
    });
    const target = (host: Host, RouteKey: string, name: string) => ({
      ApiId: { Ref: apiIds[host] },
      RouteKey,
      IntegrationUri: { 'Fn::GetAtt': [functionOf(name)[0], 'Arn'] },
      PayloadFormatVersion: '2.0',
    });
    const expected = allHosts.flatMap((host) => [
      target(host, '$default', `${host} fallback`),
      ...listRouteKeys(host).map(({ key, group }) => target(host, key, group.name)),
    ]);
    expect(targets).toHaveLength(expected.length);
    expect(targets).toEqual(expect.arrayContaining(expected));
  });

  it.each(allHosts)('%s can invoke only its groups’ functions and its fallback', (host) => {
    const callable = resources('AWS::Lambda::Permission')
      .filter(([, { SourceArn }]) => mentions(SourceArn, apiIds[host]))
      .map(([, { FunctionName }]) => FunctionName);
    const names = [...listGroups(host).map(({ name }) => name), `${host} fallback`];
    const expected = names.map((name) => ({
      'Fn::GetAtt': [functionOf(name)[0], 'Arn'],
    }));
    expect(callable).toHaveLength(expected.length);
    expect(callable).toEqual(expect.arrayContaining(expected));
  });

  it('are known to the fallbacks by all their endpoints', () => {
    const lists = JSON.parse(formatEndpoints());
    expect(Object.keys(lists)).toEqual(allHosts);
    for (const host of allHosts) expect(lists[host]).toEqual(listEndpoints(listRoutes(host)));
  });
});

describe("the APIs' access logs", () => {
  const formatOf = (host: Host): Record<string, string> => {
    const { AccessLogSettings } = ofApi('AWS::ApiGatewayV2::Stage', host);
    return JSON.parse((AccessLogSettings as { Format: string }).Format);
  };

  it.each(allHosts)('%s has a JSON line for each request', (host) => {
    expect(formatOf(host)).toMatchObject({
      requestId: '$context.requestId',
      ip: '$context.identity.sourceIp',
      routeKey: '$context.routeKey',
      status: '$context.status',
      latencyMs: '$context.responseLatency',
      error: '$context.error.message',
    });
  });

  it.each(allHosts)('%s contains no path, query, header or body', (host) => {
    for (const variable of Object.values(formatOf(host))) {
      expect(variable).toMatch(/^\$context\.[\w.]+$/);
      expect(variable).not.toMatch(/path|query|header|authorizer|userAgent/i);
    }
  });

  it.each(allHosts)('%s is retained for a month in a separate log group', (host) => {
    template.hasResource('AWS::Logs::LogGroup', {
      DeletionPolicy: 'Delete',
      Properties: {
        LogGroupName: `/aws/vendedlogs/handbill/prod/${host}`,
        RetentionInDays: 30,
      },
    });
  });
});

describe("the APIs' throttling", () => {
  const limit = (rate: number, burst: number) => ({
    ThrottlingRateLimit: rate,
    ThrottlingBurstLimit: burst,
  });

  it.each(allHosts)('%s applies to all routes', (host) => {
    const { DefaultRouteSettings } = ofApi('AWS::ApiGatewayV2::Stage', host);
    expect(DefaultRouteSettings).toEqual(limit(100, 200));
  });

  it.each(allHosts)(
    '%s has no limit for a single route, which one client could exhaust',
    (host) => {
      expect(ofApi('AWS::ApiGatewayV2::Stage', host)['RouteSettings']).toBeUndefined();
    },
  );

  it('is configurable', () => {
    synthesize(chosen).allResourcesProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: limit(7, 3),
    });
  });
});

describe('CORS', () => {
  const corsOf = (from: Template, host: Host): unknown =>
    Object.values(from.findResources('AWS::ApiGatewayV2::Api'))
      .map(({ Properties }) => Properties)
      .find(({ Name }) => Name === `handbill-prod-${host}`)?.CorsConfiguration;

  it('is disabled by default', () => {
    for (const host of allHosts) expect(corsOf(template, host)).toBeUndefined();
  });

  it('allows pages of the configured origins to call the service with credentials, but not the snippets', () => {
    const open = synthesize(chosen);
    expect(corsOf(open, 'service')).toEqual({
      AllowOrigins: ['https://app.example.com', 'https://b.example.com'],
      AllowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      AllowHeaders: [
        'authorization',
        'content-type',
        'idempotency-key',
        'if-match',
        'if-none-match',
        'mcp-method',
        'mcp-name',
        'mcp-protocol-version',
        'x-share-claim',
        'x-share-password',
        'x-share-proof',
      ],
      ExposeHeaders: [
        'etag',
        'idempotency-replayed',
        'x-request-id',
        'retry-after',
        'ratelimit',
        'ratelimit-policy',
        'www-authenticate',
        'content-disposition',
        'link',
        'x-next-cursor',
      ],
      AllowCredentials: true,
      MaxAge: 3_600,
    });
    expect(corsOf(open, 'snippets')).toBeUndefined();
  });

  it('allows any page to call without credentials', () => {
    expect(corsOf(synthesize(otherwiseChosen), 'service')).toMatchObject({
      AllowOrigins: ['*'],
      AllowCredentials: false,
    });
  });
});
