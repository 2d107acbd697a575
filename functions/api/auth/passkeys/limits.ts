import { perNetwork } from '../../../../shared/http/network-limits.ts';

const minuteMs = 60_000;

/** Limits how often sign-in pages ask for options, which each of them does when it is opened. */
export const optionsLimits = perNetwork({
  name: 'passkey-options',
  tokens: 300,
  perMs: 15 * minuteMs,
  site: { tokens: 1_000 },
});

/** Limits sign-ins by passkeys. They can't be guessed, but each failure is audited. */
export const signInLimits = perNetwork({
  name: 'passkey',
  tokens: 60,
  perMs: 15 * minuteMs,
  site: { tokens: 300 },
});
