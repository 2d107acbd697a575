import type * as z from 'zod';
import {
  findProviderOf,
  listProviders,
  type Provider,
} from '../../../../shared/runtime/provider-settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import { toFactors } from '../factors/schemas.ts';
import type { StoredFactors, StoredIdentity } from '../factors/stored-factors.ts';
import { canDisconnect } from './manage.ts';
import type { Connections, UserFactors } from './schemas.ts';
import { findAt } from './store.ts';

const toTimes = (identity: StoredIdentity | undefined) => ({
  email: identity?.email === undefined ? null : toShownEmail(identity.email),
  connectedAt: identity?.createdAt ?? null,
  lastUsedAt: identity?.lastUsedAt ?? null,
});

/** Converts the caller's accounts at the providers of the settings. */
export const toConnections = (
  found: Parameters<typeof canDisconnect>[0],
): z.output<typeof Connections> => ({
  identities: listProviders().map(({ name, label, issuer }: Provider) => {
    const identity = findAt(found.factors, issuer);
    return { provider: name, label, connected: identity !== undefined, ...toTimes(identity) };
  }),
  canDisconnect: canDisconnect(found),
});

/** Converts a user's second factors and connected accounts. */
export const toUserFactors = (factors: StoredFactors): z.output<typeof UserFactors> => ({
  ...toFactors(factors),
  identities: Object.values(factors.identities ?? {})
    .map((identity) => {
      const provider = findProviderOf(identity.issuer);
      return {
        provider: provider?.name ?? null,
        label: provider?.label ?? identity.issuer,
        ...toTimes(identity),
        connectedAt: identity.createdAt,
      };
    })
    .sort((a, b) => a.connectedAt.localeCompare(b.connectedAt)),
});
