import { ApiMapping, DomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { HostApi } from './http-api.ts';
import type { CustomDomainSettings } from './stack-settings.ts';

/** A custom domain name of an API, with an existing certificate, and its DNS entry if there is a hosted zone. */
export class CustomDomain extends Construct {
  /** What the DNS entry of the name leads to. */
  readonly target: string;

  constructor(
    scope: Construct,
    id: string,
    api: HostApi,
    origin: string,
    domain: CustomDomainSettings,
  ) {
    super(scope, id);
    const { hostname } = new URL(origin);
    const { zone, certificateArn } = domain;
    const domainName = new DomainName(this, 'Name', {
      domainName: hostname,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    new ApiMapping(this, 'Mapping', { api, domainName, stage: api.stage });
    this.target = domainName.regionalDomainName;
    if (!zone) return;
    new ARecord(this, 'Record', {
      zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', {
        hostedZoneId: zone.id,
        zoneName: zone.name,
      }),
      recordName: `${hostname}.`,
      target: RecordTarget.fromAlias(
        new ApiGatewayv2DomainProperties(
          domainName.regionalDomainName,
          domainName.regionalHostedZoneId,
        ),
      ),
    });
  }
}
