import { perNetwork } from '../../../shared/http/network-limits.ts';

const minuteMs = 60_000;

/** Limits sign-ins that begin at a provider: an office begins many of them in the morning. */
export const beginLimits = perNetwork({
  name: 'provider',
  tokens: 300,
  perMs: 15 * minuteMs,
  site: { tokens: 1_000 },
});

/** Limits responses of providers. They can't be guessed, but each asks the provider, and failures are audited. */
export const responseLimits = perNetwork({
  name: 'provider-response',
  tokens: 300,
  perMs: 15 * minuteMs,
  site: { tokens: 1_000 },
});
