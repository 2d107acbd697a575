import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../functions/routes.ts';
import { edgeKey, listBehaviors } from '../../infra/stack/edge/behaviors.ts';
import { viewerCode } from '../../infra/stack/edge/viewer-code.ts';
import { readStackSettings } from '../../infra/stack/stack-settings.ts';
import { edgeHeaders } from '../../shared/http/edge.ts';
import type { Host } from '../../shared/http/host.ts';
import {
  allHosts,
  answeringNames,
  apiIds,
  functionNames,
  functionOf,
  synthesize,
  template,
} from '../support/infra/stack-template.ts';

type Json = Record<string, unknown>;

interface Behavior {
  readonly PathPattern?: string;
  readonly CachePolicyId: unknown;
  readonly AllowedMethods: string[];
  readonly Compress: boolean;
}

interface Config {
  readonly Comment: string;
  readonly Aliases?: string[];
  readonly DefaultCacheBehavior: Behavior & Json;
  readonly CacheBehaviors: (Behavior & Json)[];
  readonly Origins: { readonly OriginCustomHeaders: Json[]; readonly DomainName: unknown }[];
  readonly CustomErrorResponses: { ErrorCode: number; ErrorCachingMinTTL: number }[];
}

const edged = synthesize({ edge: 'true' });

const distributionsOf = (made: Template): [id: string, config: Config][] =>
  Object.entries(made.findResources('AWS::CloudFront::Distribution')).map(
    ([id, { Properties }]) => [id, Properties.DistributionConfig as Config],
  );

const distributionOf = (host: Host, made = edged): [id: string, config: Config] => {
  const found = distributionsOf(made).find(([, { Comment }]) => Comment.endsWith(`: ${host}`));
  if (!found) throw new Error(`There is no distribution for ${host}`);
  return found;
};

const countResources = (made: Template): number => Object.keys(made.toJSON()['Resources']).length;

/** AWS's managed policies. https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/controlling-the-cache-key.html */
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const cachingOptimized = '658327ea-f89d-4fab-a63d-7e88639e58f6';
const allViewerExceptHost = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

const isPagePolicy = (id: unknown): boolean => typeof id !== 'string';

describe('a stack without a CDN', () => {
  it('has nothing of CloudFront, and functions that refuse no request', () => {
    const text = JSON.stringify(template.toJSON());
    expect(text).not.toMatch(/CloudFront|EDGE_|EdgeSecret/);
  });
});

describe('a stack with a CDN', () => {
  it('has 6 more resources, and fewer than 500', () => {
    const added = (type: string) => Object.keys(edged.findResources(`AWS::CloudFront::${type}`));
    expect(added('Distribution')).toHaveLength(2);
    expect(added('Function')).toHaveLength(2);
    expect(added('CachePolicy')).toHaveLength(1);
    expect(added('ResponseHeadersPolicy')).toHaveLength(1);
    expect(countResources(edged) - countResources(template)).toBe(6);
    expect(countResources(edged)).toBeLessThan(500);
  });

  it.each(allHosts)(
    'has a distribution before %s, with HTTP/3, IPv6 and its API by https',
    (host) => {
      const [, config] = distributionOf(host);
      expect(config).toMatchObject({
        Enabled: true,
        HttpVersion: 'http2and3',
        IPV6Enabled: true,
        Origins: [
          {
            DomainName: {
              'Fn::Select': [
                2,
                { 'Fn::Split': ['/', { 'Fn::GetAtt': [apiIds[host], 'ApiEndpoint'] }] },
              ],
            },
            CustomOriginConfig: {
              OriginProtocolPolicy: 'https-only',
              OriginSSLProtocols: ['TLSv1.2'],
              OriginReadTimeout: 35,
            },
          },
        ],
      });
      expect(config).not.toHaveProperty('WebACLId');
    },
  );

  it.each(allHosts)('forwards everything but Host to %s, for all methods', (host) => {
    const [, { DefaultCacheBehavior, CacheBehaviors }] = distributionOf(host);
    for (const one of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(one).toMatchObject({
        OriginRequestPolicyId: allViewerExceptHost,
        ViewerProtocolPolicy: 'redirect-to-https',
        ResponseHeadersPolicyId: { Ref: expect.any(String) },
        FunctionAssociations: [{ EventType: 'viewer-request', FunctionARN: expect.anything() }],
      });
      expect([...one.AllowedMethods].sort()).toEqual([
        'DELETE',
        'GET',
        'HEAD',
        'OPTIONS',
        'PATCH',
        'POST',
        'PUT',
      ]);
    }
  });

  it.each(allHosts)('keeps for %s what the routes say, and nothing else', (host) => {
    const [, { DefaultCacheBehavior, CacheBehaviors }] = distributionOf(host);
    expect(DefaultCacheBehavior.CachePolicyId).toBe(cachingDisabled);
    const toRegExp = (pattern: string) =>
      new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
    const policyFor = (path: string) =>
      [...CacheBehaviors, DefaultCacheBehavior].find(({ PathPattern = '*' }) =>
        toRegExp(PathPattern).test(path),
      )?.CachePolicyId;
    for (const { path, cache } of listRoutes(host)) {
      const policy = policyFor(path.replaceAll(/\{\w+\+?\}/g, 'x1'));
      if (cache === 'for-good') expect(policy, path).toBe(cachingOptimized);
      else if (cache === 'for-seconds') expect(isPagePolicy(policy), path).toBe(true);
      else expect(policy, path).toBe(cachingDisabled);
    }
    if (host === 'service') expect(policyFor('/s/x1/not/a/route')).toBe(cachingDisabled);
  });

  it('compresses what it keeps, and keeps pages by what they depend on', () => {
    const kept = allHosts
      .flatMap((host) => distributionOf(host)[1].CacheBehaviors)
      .filter(({ CachePolicyId }) => CachePolicyId !== cachingDisabled);
    expect(kept).toHaveLength(9);
    for (const { Compress } of kept) expect(Compress).toBe(true);
    edged.hasResourceProperties('AWS::CloudFront::CachePolicy', {
      CachePolicyConfig: {
        MinTTL: 0,
        DefaultTTL: 0,
        MaxTTL: 5,
        ParametersInCacheKeyAndForwardedToOrigin: {
          EnableAcceptEncodingBrotli: true,
          EnableAcceptEncodingGzip: true,
          CookiesConfig: { CookieBehavior: 'whitelist', Cookies: ['__Host-session', 'theme'] },
          HeadersConfig: {
            HeaderBehavior: 'whitelist',
            Headers: ['Authorization', 'Origin', 'sec-fetch-dest'],
          },
          QueryStringsConfig: {
            QueryStringBehavior: 'whitelist',
            QueryStrings: ['view', 'preview', 'claim'],
          },
        },
      },
    });
    expect(edgeKey.queries).toEqual(['view', 'preview', 'claim']);
  });

  it('keeps no error', () => {
    for (const host of allHosts) {
      const kept = distributionOf(host)[1].CustomErrorResponses;
      expect(kept.map(({ ErrorCode }) => ErrorCode)).toEqual([
        404, 405, 414, 500, 501, 502, 503, 504,
      ]);
      for (const one of kept) expect(one.ErrorCachingMinTTL).toBe(0);
    }
  });

  it('adds security headers where a response has none of its own', () => {
    edged.hasResourceProperties('AWS::CloudFront::ResponseHeadersPolicy', {
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: {
          ContentTypeOptions: { Override: false },
          ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: false },
          StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, Override: false },
        },
      },
    });
  });

  it('fills in the URLs of both hosts', () => {
    const url = (host: Host) => ({
      'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [distributionOf(host)[0], 'DomainName'] }]],
    });
    edged.hasOutput('ServiceUrl', { Value: url('service') });
    edged.hasOutput('SnippetsUrl', { Value: url('snippets') });
    edged.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Handbill: share-page',
      Environment: {
        Variables: Match.objectLike({ PUBLIC_URL: url('service'), SNIPPETS_URL: url('snippets') }),
      },
    });
    expect(JSON.stringify(edged.findResources('AWS::S3::Bucket'))).toContain(
      JSON.stringify(url('service')),
    );
  });
});

describe('the secret of the CDN', () => {
  it('is sent to both hosts, and is in no template', () => {
    const sent = {
      'Fn::If': ['EdgeSendsB', { Ref: 'EdgeSecretB' }, { Ref: 'EdgeSecretA' }],
    };
    for (const host of allHosts) {
      expect(distributionOf(host)[1].Origins[0]?.OriginCustomHeaders).toEqual([
        { HeaderName: edgeHeaders.secret, HeaderValue: sent },
      ]);
    }
    edged.hasParameter('EdgeSecretA', { NoEcho: true, Default: Match.absent() });
    edged.hasParameter('EdgeSecretB', { NoEcho: true, Default: Match.absent() });
    edged.hasCondition('EdgeSendsB', { 'Fn::Equals': [{ Ref: 'EdgeSends' }, 'B'] });
  });

  it('is known by its hashes to every function that answers requests, after the CDN changed', () => {
    const ids = allHosts.map((host) => distributionOf(host)[0]);
    const isAnswering = (name: string) => answeringNames.includes(name);
    for (const name of functionNames) {
      const [id] = functionOf(name);
      const { Properties, DependsOn = [] } = edged.findResources('AWS::Lambda::Function')[id] ?? {};
      const hashes = Properties?.Environment.Variables.EDGE_SECRET_HASHES;
      expect(hashes, name).toEqual(isAnswering(name) ? { Ref: 'EdgeAccepts' } : undefined);
      if (isAnswering(name)) expect(DependsOn, name).toEqual(expect.arrayContaining(ids));
    }
  });
});

describe('the function in CloudFront', () => {
  it('overwrites what a viewer claims about address and host', () => {
    const handle = new Function(`${viewerCode()}; return handler;`)() as (event: object) => Json;
    const request = {
      uri: '/s/x',
      headers: {
        host: { value: 'share.example.com' },
        [edgeHeaders.address]: { value: '192.0.2.1' },
        [edgeHeaders.host]: { value: 'evil.example.com' },
        accept: { value: 'text/html' },
      },
    };
    expect(handle({ request, viewer: { ip: '198.51.100.7' } })).toEqual({
      uri: '/s/x',
      headers: {
        host: { value: 'share.example.com' },
        [edgeHeaders.address]: { value: '198.51.100.7' },
        [edgeHeaders.host]: { value: 'share.example.com' },
        accept: { value: 'text/html' },
      },
    });
  });
});

describe('the function in CloudFront before the host of snippets', () => {
  const [, { Properties }] = Object.entries(edged.findResources('AWS::CloudFront::Function')).find(
    ([id]) => id.includes('SnippetsViewer'),
  ) ?? ['', { Properties: {} as Json }];
  const [, [before, ofService, after]] = Properties['FunctionCode']['Fn::Join'];
  const handle = new Function(`${before}d1.test${after}; return handler;`)();
  const ask = (uri: string, headers: Json, querystring: Json = {}) =>
    handle({
      request: { uri, querystring, headers: { host: { value: 'd2.test' }, ...headers } },
      viewer: { ip: '198.51.100.7' },
    });
  const alone = { 'sec-fetch-dest': { value: 'document' } };

  it('is that of its distribution, and knows the address of the service', () => {
    expect(ofService).toEqual({ 'Fn::GetAtt': [distributionOf('service')[0], 'DomainName'] });
    const [id] = Object.entries(edged.findResources('AWS::CloudFront::Function')).find(([one]) =>
      one.includes('SnippetsViewer'),
    ) ?? [''];
    const { DefaultCacheBehavior, CacheBehaviors } = distributionOf('snippets')[1];
    for (const one of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(one['FunctionAssociations']).toEqual([
        { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [id, 'FunctionARN'] } },
      ]);
    }
  });

  it.each([
    ['/a-Share_1', 'https://d1.test/s/a-Share_1'],
    ['/preview', 'https://d1.test/'],
    ['/diagram', 'https://d1.test/'],
  ])('leads a browser that opens %s by itself to its page, before the cache', (uri, location) => {
    expect(ask(uri, alone)).toMatchObject({
      statusCode: 303,
      headers: {
        location: { value: location },
        vary: { value: 'sec-fetch-dest' },
        'cache-control': { value: 'no-store' },
      },
    });
  });

  it('passes everything else on: frames, clients that say nothing, view tokens, other paths', () => {
    const frame = { 'sec-fetch-dest': { value: 'iframe' } };
    for (const request of [
      ask('/x', frame),
      ask('/x', {}),
      ask('/x', alone, { view: { value: 'a.b.c' } }),
      ask('/x/y', alone),
      ask('/x%0d%0aset-cookie:a', alone),
      ask('//evil.example', alone),
      ask('/', alone),
    ]) {
      expect(request).toMatchObject({
        uri: expect.anything(),
        headers: { [edgeHeaders.address]: { value: '198.51.100.7' } },
      });
      expect(request).not.toHaveProperty('statusCode');
    }
  });
});

describe('listBehaviors', () => {
  it('puts paths of other routes before a pattern that also matches them', () => {
    const patterns = (host: Host) =>
      listBehaviors(host).map(({ pattern, cache }) => `${pattern} ${cache ?? 'never'}`);
    expect(patterns('service')).toEqual([
      '/s/*/live/* never',
      '/s/*/live for-seconds',
      '/assets/styles/* for-good',
      '/assets/scripts/* for-good',
      '/assets/fonts/* for-good',
      '/assets/images/* for-good',
      '/s/*/* never',
      '/s/* for-seconds',
    ]);
    expect(patterns('snippets')).toEqual([
      '/diagram/* for-good',
      '/*/* for-seconds',
      '/preview never',
      '/diagram never',
      '/* for-seconds',
    ]);
  });
});

const domain = {
  edge: 'true',
  PUBLIC_URL: 'https://share.example.com',
  SNIPPETS_URL: 'https://snippets.example.com',
  edgeCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1234-abcd',
};
const zone = { hostedZoneId: 'Z0123456789', hostedZoneName: 'example.com' };
const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/handbill/1234-abcd';

describe('a custom domain of the CDN', () => {
  const made = synthesize({ ...domain, ...zone, webAclArn });

  it.each([
    ['service', 'share.example.com'],
    ['snippets', 'snippets.example.com'],
  ] as const)('gives %s its name, certificate, web ACL and DNS', (host, name) => {
    expect(distributionOf(host, made)[1]).toMatchObject({
      Aliases: [name],
      ViewerCertificate: {
        AcmCertificateArn: domain.edgeCertificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
      WebACLId: webAclArn,
    });
    for (const Type of ['A', 'AAAA']) {
      made.hasResourceProperties('AWS::Route53::RecordSet', {
        Name: `${name}.`,
        Type,
        HostedZoneId: zone.hostedZoneId,
        AliasTarget: {
          DNSName: { 'Fn::GetAtt': [distributionOf(host, made)[0], 'DomainName'] },
        },
      });
    }
  });

  it('keeps the endpoints that the CDN calls, and names those of an API no longer', () => {
    made.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
    made.allResourcesProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
  });

  it('replaces the DNS entries of the APIs in place', () => {
    const before = synthesize({
      ...domain,
      ...zone,
      edge: 'false',
      edgeCertificateArn: '',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1234-abcd',
    });
    const idsOf = (one: Template) => Object.keys(one.findResources('AWS::Route53::RecordSet'));
    expect(idsOf(made)).toEqual(expect.arrayContaining(idsOf(before)));
  });

  it('has the target of other DNS entries as an output', () => {
    const own = synthesize(domain);
    own.hasOutput('ServiceUrl', { Value: domain.PUBLIC_URL });
    own.hasOutput('ServiceDnsTarget', {
      Value: { 'Fn::GetAtt': [Match.stringLikeRegexp('^EdgeService'), 'DomainName'] },
    });
    own.resourceCountIs('AWS::Route53::RecordSet', 0);
  });
});

describe('the settings of a CDN', () => {
  const read = (context: Json) => readStackSettings((name) => context[name]).edge;

  it('are none by default', () => {
    expect(read({})).toBe(undefined);
    expect(read({ edge: 'false' })).toBe(undefined);
  });

  it.each<[string, Json]>([
    ['Set edge to true or false.', { edge: 'yes' }],
    [
      'Set edgeCertificateArn to the ARN of a certificate in us-east-1.',
      {
        ...domain,
        edgeCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1234-abcd',
      },
    ],
    [
      'Set webAclArn to the ARN of a web ACL for CloudFront, which is in us-east-1.',
      { edge: true, webAclArn: 'arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/a/1' },
    ],
    ['Set edge to true, or leave out webAclArn: only a CDN uses it.', { webAclArn }],
    [
      'Set edge to true, or leave out edgeCertificateArn: only a CDN uses it.',
      { ...domain, edge: false },
    ],
    [
      'Set edgeCertificateArn instead of certificateArn: with edge=true only the CDN has a certificate, in us-east-1.',
      { ...domain, certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1234-abcd' },
    ],
    [
      'Set edgeCertificateArn: required for a custom domain with edge=true.',
      { ...domain, edgeCertificateArn: undefined },
    ],
    [
      'Set SNIPPETS_URL: required for a custom domain with edge=true.',
      { ...domain, SNIPPETS_URL: undefined },
    ],
    ['Set PUBLIC_URL: required for a custom domain with edge=true.', { edge: true, ...zone }],
    [
      'Set hostedZoneName: required for DNS names with edge=true.',
      { ...domain, hostedZoneId: 'Z0123456789' },
    ],
    [
      'Set SNIPPETS_URL to an https origin in the zone example.com.',
      { ...domain, ...zone, SNIPPETS_URL: 'https://snippets.example.net' },
    ],
    [
      'Set PUBLIC_URL to an https origin without a port: the CDN has none.',
      { ...domain, PUBLIC_URL: 'https://share.example.com:8443' },
    ],
  ])('stop the deployment if they are invalid: %s', (message, context) => {
    expect(() => read(context)).toThrow(message);
  });
});
