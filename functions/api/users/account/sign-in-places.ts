import { createHmac } from 'node:crypto';
import { getDeviceFamily } from '../../../../shared/auth/device.ts';
import { getWideNetwork } from '../../../../shared/http/network.ts';
import type { ClientInfo } from '../../../../shared/http/route.ts';
import { getCurrentKeys } from '../../../../shared/runtime/signing-keys.ts';

/** The device and network of a sign-in, as its notification names them. */
export interface SignInPlace {
  /** For example "Firefox on Windows"; `undefined` if unknown. */
  readonly device: string | undefined;
  /** For example `192.0.2.0/24`. */
  readonly network: string;
}

/** Returns the place a client signs in from. Browser versions and changes of address within a network don't matter. */
export const getSignInPlace = ({
  ip,
  userAgent = '',
}: Pick<ClientInfo, 'ip' | 'userAgent'>): SignInPlace => ({
  device: getDeviceFamily(userAgent),
  network: getWideNetwork(ip),
});

/** How many places an account stores. A new one replaces the least recently used. */
export const maxPlaces = 20;

/** 48 bits: among 20 places, a collision occurs in one of 10^12 accounts. */
const codeLength = 8;

/** The codes of a place for an account: by the current signing key first, then by the previous one. */
export type PlaceCodes = readonly [string, ...string[]];

/**
 * Prepares the codes that accounts store for a place. Without the signing key, a code reveals neither the place nor
 * whether two accounts share it.
 */
export const preparePlaceCodes = async ({
  device = '',
  network,
}: SignInPlace): Promise<(userId: number) => PlaceCodes> => {
  const [current, ...previous] = await getCurrentKeys();
  return (userId) => {
    const createCode = ({ secret }: { readonly secret: string }) =>
      createHmac('sha256', secret)
        .update(`sign-in place\n${userId}\n${network}\n${device}`)
        .digest('base64url')
        .slice(0, codeLength);
    return [createCode(current), ...previous.map(createCode)];
  };
};

/** Whether a place is new to an account, and the places to store. */
export interface Recognition {
  /** Whether the account has signed in before, but never from this place. */
  readonly isNew: boolean;
  /** The codes to store, separated by spaces, most recently used last; `undefined` if unchanged. */
  readonly places: string | undefined;
}

/** Returns whether an account stores a place. */
export const isKnown = (known: string | undefined, codes: PlaceCodes): boolean =>
  known?.split(' ').some((one) => codes.includes(one)) ?? false;

/** Compares a place with those that an account stores. There are none before its first sign-in. */
export const recognizePlace = (known: string | undefined, codes: PlaceCodes): Recognition => {
  const [code] = codes;
  const before = known?.split(' ') ?? [];
  const at = before.findIndex((one) => codes.includes(one));
  // Saves writes: stored places change only for a place that is soon replaced or has a code of the previous key.
  const isSoonReplaced = before.length === maxPlaces && at < maxPlaces / 2;
  if (before[at] === code && !isSoonReplaced) return { isNew: false, places: undefined };
  const others = before.filter((one) => !codes.includes(one));
  return {
    isNew: known !== undefined && at === -1,
    places: [...others, code].slice(-maxPlaces).join(' '),
  };
};
