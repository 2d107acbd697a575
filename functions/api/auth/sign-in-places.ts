import { createHmac } from 'node:crypto';
import { getDeviceFamily } from '../../../shared/auth/device.ts';
import { getWideNetwork } from '../../../shared/http/network.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { getCurrentKeys } from '../../../shared/runtime/signing-keys.ts';

/** The device and the network that a sign-in comes from, as its owner is told of them. */
export interface SignInPlace {
  /** Such as "Firefox on Windows"; `undefined` for all that are unknown. */
  readonly device: string | undefined;
  /** Such as `192.0.2.0/24`. */
  readonly network: string;
}

/** Describes where a caller signs in from: every version of a browser is one device, and a home with a new address one network. */
export const getSignInPlace = ({
  ip,
  userAgent = '',
}: Pick<ClientInfo, 'ip' | 'userAgent'>): SignInPlace => ({
  device: getDeviceFamily(userAgent),
  network: getWideNetwork(ip),
});

/** An account remembers so many places; the one that was used longest ago makes room. */
export const maxPlaces = 20;

/** 48 bits: two of 20 places are taken for one another once in 10^12 accounts. */
const codeLength = 8;

/** The codes of a place for an account: of the current signing key first, then of the one before it. */
export type PlaceCodes = readonly [string, ...string[]];

/**
 * Prepares the codes that accounts remember a place by. Without the signing key nobody finds out the place by one, nor
 * that two accounts share it.
 */
export const preparePlaceCodes = async ({
  device = '',
  network,
}: SignInPlace): Promise<(userId: number) => PlaceCodes> => {
  const [current, ...previous] = await getCurrentKeys();
  return (userId) => {
    const codeBy = ({ secret }: { readonly secret: string }) =>
      createHmac('sha256', secret)
        .update(`sign-in place\n${userId}\n${network}\n${device}`)
        .digest('base64url')
        .slice(0, codeLength);
    return [codeBy(current), ...previous.map(codeBy)];
  };
};

/** What a sign-in does to the places that its account remembers. */
export interface Recognition {
  /** Has the account signed in before, and never from this place? */
  readonly isNew: boolean;
  /** The codes from now on, with spaces between them, the one used last at the end; `undefined` where they stay. */
  readonly places: string | undefined;
}

/** Compares a place with those that an account remembers; it remembers none before its first sign-in. */
export const recognizePlace = (known: string | undefined, codes: PlaceCodes): Recognition => {
  const [code] = codes;
  const before = known?.split(' ') ?? [];
  const at = before.findIndex((one) => codes.includes(one));
  // Only a place that would be forgotten soon, or is known by the former key, is worth a change.
  const isSoonForgotten = before.length === maxPlaces && at < maxPlaces / 2;
  if (before[at] === code && !isSoonForgotten) return { isNew: false, places: undefined };
  const others = before.filter((one) => !codes.includes(one));
  return {
    isNew: known !== undefined && at === -1,
    places: [...others, code].slice(-maxPlaces).join(' '),
  };
};
