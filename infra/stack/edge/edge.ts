import { Duration, Fn, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  FunctionEventType,
  HeadersReferrerPolicy,
  HttpVersion,
  type ICachePolicy,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { type EdgeCache, edgeHeaders, maxEdgeSeconds } from '../../../shared/http/edge.ts';
import type { Host } from '../../../shared/http/host.ts';
import type { HostApi } from '../http-api.ts';
import { edgeKey, listBehaviors } from './behaviors.ts';
import { EdgeSecret } from './edge-secret.ts';
import type { EdgeSettings } from './edge-settings.ts';
import { createViewerFunction } from './viewer-function.ts';

/** The errors that CloudFront would keep for 10 s, for every caller of a path, whatever the origin says. */
const keptErrors = [404, 405, 414, 500, 501, 502, 503, 504];

/** What a distribution is for. */
interface DistributionOptions {
  readonly stage: string;
  readonly host: Host;
  readonly api: HostApi;
  /** The configured origin of the host, if there is one. */
  readonly origin: string | undefined;
  /** The URL of the service, for the host of snippets. */
  readonly serviceUrl?: string | undefined;
}

/** The CDN before both hosts (decisions.md#edge). */
export class Edge extends Construct {
  readonly #settings: EdgeSettings;
  readonly #secret: EdgeSecret;
  readonly #cachePolicies: Readonly<Record<EdgeCache, ICachePolicy>>;
  readonly #common: Omit<BehaviorOptions, 'origin'>;
  /** The distributions of all hosts so far. */
  readonly distributions: Distribution[] = [];

  constructor(scope: Construct, id: string, settings: EdgeSettings) {
    super(scope, id);
    this.#settings = settings;
    this.#secret = new EdgeSecret(Stack.of(this));
    this.#cachePolicies = {
      'for-good': CachePolicy.CACHING_OPTIMIZED,
      'for-seconds': new CachePolicy(this, 'ForSeconds', {
        comment: 'Handbill: pages that are the same for everyone without a session',
        // With a minimum, CloudFront would ignore `no-store` and give several callers one response.
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.seconds(0),
        maxTtl: Duration.seconds(maxEdgeSeconds),
        queryStringBehavior: CacheQueryStringBehavior.allowList(...edgeKey.queries),
        cookieBehavior: CacheCookieBehavior.allowList(...edgeKey.cookies),
        headerBehavior: CacheHeaderBehavior.allowList(...edgeKey.headers),
        enableAcceptEncodingBrotli: true,
        enableAcceptEncodingGzip: true,
      }),
    };
    this.#common = {
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // API Gateway finds an API by `Host`.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: this.#createHeadersPolicy(),
    };
  }

  /** The hashes of the secrets that functions accept, separated by commas. */
  get secretHashes(): string {
    return this.#secret.hashes;
  }

  /** Puts a distribution before the API of a host. Returns its domain name. */
  add({ stage, host, api, origin, serviceUrl }: DistributionOptions): string {
    const { certificateArn, webAclArn, zone } = this.#settings;
    const name = host === 'service' ? 'Service' : 'Snippets';
    const hostname = origin === undefined ? undefined : new URL(origin).hostname;
    const toApi = new HttpOrigin(Fn.select(2, Fn.split('/', api.apiEndpoint)), {
      customHeaders: { [edgeHeaders.secret]: this.#secret.sent },
      // Longer than API Gateway waits: CloudFront would repeat a request that may have counted a view.
      readTimeout: Duration.seconds(35),
      keepaliveTimeout: Duration.seconds(60),
    });
    const viewer = createViewerFunction(this, serviceUrl);
    const common = {
      ...this.#common,
      origin: toApi,
      functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
    };
    const distribution = new Distribution(this, name, {
      comment: `Handbill (${stage}): ${host}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
      ...(certificateArn !== undefined &&
        hostname !== undefined && {
          domainNames: [hostname],
          certificate: Certificate.fromCertificateArn(this, `${name}Certificate`, certificateArn),
          minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        }),
      errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      defaultBehavior: common,
      additionalBehaviors: Object.fromEntries(
        listBehaviors(host).map(({ pattern, cache }) => [
          pattern,
          {
            ...common,
            ...(cache && { cachePolicy: this.#cachePolicies[cache], compress: true }),
          },
        ]),
      ),
    });
    this.#acknowledge(distribution);
    this.distributions.push(distribution);
    if (zone && hostname !== undefined) this.#addNames(name, hostname, zone, distribution);
    return distribution.distributionDomainName;
  }

  /** Creates the DNS names of a distribution, in the place of those of an API. */
  #addNames(
    name: string,
    hostname: string,
    zone: NonNullable<EdgeSettings['zone']>,
    distribution: Distribution,
  ): void {
    const scope = new Construct(Stack.of(this), `${name}Domain`);
    const names = {
      zone: HostedZone.fromHostedZoneAttributes(scope, 'Zone', {
        hostedZoneId: zone.id,
        zoneName: zone.name,
      }),
      recordName: `${hostname}.`,
      target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)),
    };
    new ARecord(scope, 'Record', names);
    new AaaaRecord(scope, 'RecordV6', names);
  }

  /** The headers of the service itself, also on what only CloudFront responds. Its own values win. */
  #createHeadersPolicy(): ResponseHeadersPolicy {
    const { stackName, region } = Stack.of(this);
    return new ResponseHeadersPolicy(this, 'Headers', {
      // Unlike those of other resources, the CDK's name for it is the same in each region of an account.
      responseHeadersPolicyName: `${stackName}-${region}`,
      comment: 'Handbill: security headers',
      securityHeadersBehavior: {
        contentTypeOptions: { override: false },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: false },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(730), override: false },
      },
    });
  }

  #acknowledge(distribution: Distribution): void {
    const { certificateArn, webAclArn } = this.#settings;
    const reasons: Readonly<Record<string, string | undefined>> = {
      CFR1: 'Readers are anywhere. A web ACL can restrict countries.',
      CFR2: webAclArn === undefined ? 'A web ACL costs a fixed price: it is a setting.' : undefined,
      CFR3: 'Its lines would have paths and queries, which give access to shares. The APIs log what reaches them.',
      CFR4:
        certificateArn === undefined
          ? 'CloudFront decides for its own certificate. With a custom domain TLS 1.2 is the minimum.'
          : undefined,
    };
    for (const [rule, reason] of Object.entries(reasons)) {
      if (reason !== undefined) {
        Validations.of(distribution).acknowledge({ id: `AwsSolutions-${rule}`, reason });
      }
    }
  }
}
