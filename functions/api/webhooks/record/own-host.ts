import { getSetting } from '../../../../shared/runtime/settings.ts';

const own = ['PUBLIC_URL', 'SNIPPETS_URL'] as const;

/** Returns whether an address is of this service, which a webhook must not call: what it does there could be an event again. */
export const isOfThisService = (url: string): boolean => {
  const { hostname } = new URL(url);
  return own.some((name) => new URL(getSetting(name)).hostname === hostname);
};
