import * as z from 'zod';
import { SettingError } from '../../../shared/runtime/settings.ts';

/** The settings of a CDN before both hosts. */
export interface EdgeSettings {
  /** The certificate of both origins, if they aren't those of the CDN. */
  readonly certificateArn: string | undefined;
  readonly webAclArn: string | undefined;
  /** The zone in which the stack creates the names of both origins. */
  readonly zone: { readonly id: string; readonly name: string } | undefined;
}

/** The schema and the rule for people of the settings of the CDN. CloudFront takes both resources from us-east-1 only. */
export const edgeDefinitions = {
  edgeCertificateArn: {
    schema: z
      .string()
      .regex(/^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/)
      .optional(),
    rule: 'the ARN of a certificate in us-east-1',
  },
  webAclArn: {
    schema: z
      .string()
      .regex(/^arn:[\w-]+:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/)
      .optional(),
    rule: 'the ARN of a web ACL for CloudFront, which is in us-east-1',
  },
} as const;

/** The settings that decide about the CDN, as configured. */
export interface GivenForEdge {
  readonly edge: boolean;
  readonly edgeCertificateArn: string | undefined;
  readonly webAclArn: string | undefined;
  readonly certificateArn: string | undefined;
  readonly hostedZoneId: string | undefined;
  readonly hostedZoneName: string | undefined;
  readonly PUBLIC_URL: string | undefined;
  readonly SNIPPETS_URL: string | undefined;
}

/** @throws SettingError for the first that is missing */
export const requireAll = (
  settings: Readonly<Record<string, string | undefined>>,
  what: string,
): void => {
  const missing = Object.keys(settings).find((name) => settings[name] === undefined);
  if (missing) throw new SettingError(`Set ${missing}: required for ${what}.`);
};

const hasAny = (settings: Readonly<Record<string, string | undefined>>): boolean =>
  Object.values(settings).some((value) => value !== undefined);

/**
 * Returns the settings of the CDN, or undefined without one.
 * @throws SettingError for settings that don't go together
 */
export const toEdgeSettings = (given: GivenForEdge): EdgeSettings | undefined => {
  const { edgeCertificateArn, webAclArn, hostedZoneId, hostedZoneName } = given;
  if (!given.edge) {
    const [name] = Object.entries({ edgeCertificateArn, webAclArn }).find(([, arn]) => arn) ?? [];
    if (name) throw new SettingError(`Set edge to true, or leave out ${name}: only a CDN uses it.`);
    return undefined;
  }
  if (given.certificateArn !== undefined) {
    throw new SettingError(
      'Set edgeCertificateArn instead of certificateArn: with edge=true only the CDN has a certificate, in us-east-1.',
    );
  }
  const { PUBLIC_URL, SNIPPETS_URL } = given;
  const names = { PUBLIC_URL, SNIPPETS_URL, edgeCertificateArn };
  const zone = { hostedZoneId, hostedZoneName };
  if (hasAny(names) || hasAny(zone)) requireAll(names, 'a custom domain with edge=true');
  if (hasAny(zone)) requireAll(zone, 'DNS names with edge=true');
  for (const [name, url] of Object.entries({ PUBLIC_URL, SNIPPETS_URL })) {
    if (url !== undefined && new URL(url).port !== '') {
      throw new SettingError(`Set ${name} to an https origin without a port: the CDN has none.`);
    }
  }
  return {
    certificateArn: edgeCertificateArn,
    webAclArn,
    zone:
      hostedZoneId !== undefined && hostedZoneName !== undefined
        ? { id: hostedZoneId, name: hostedZoneName }
        : undefined,
  };
};
