import { isIP } from 'node:net';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';

/** The service as authenticators know it: passkeys are bound to its host name, and signed for its origin. */
export interface RelyingParty {
  /** The host name. */
  readonly id: string;
  readonly origin: string;
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** Returns whether there can be passkeys: PUBLIC_URL has a host name, because browsers make none for an IP address. */
export const canHavePasskeys = (): boolean =>
  !isAddress(new URL(getSetting('PUBLIC_URL')).hostname);

/**
 * Returns the service as PUBLIC_URL names it. Nothing that a request says counts, such as its `Host`: a page of another
 * origin could then be signed for.
 * @throws AppError CONFLICT if there can be no passkeys
 */
export const getRelyingParty = (): RelyingParty => {
  const { hostname, origin } = new URL(getSetting('PUBLIC_URL'));
  if (isAddress(hostname)) {
    throw new AppError(
      'CONFLICT',
      'Passkeys need a host name, and this service is reached at an IP address. Ask an administrator to set PUBLIC_URL to a name, such as http://localhost:3000 on your own machine.',
    );
  }
  return { id: hostname, origin };
};
