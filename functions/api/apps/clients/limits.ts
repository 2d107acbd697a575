import { perNetwork } from '../../../../shared/http/network-limits.ts';
import type { ClientInfo } from '../../../../shared/http/route.ts';

/**
 * Limits requests with a client id that is an address, so that nobody, with however many accounts, makes the service look into
 * many hosts. Those of one network share it, also an office.
 * @param getClientId returns the client id of a request
 */
export const metadataLimits = <Input extends { readonly client: ClientInfo }>(
  getClientId: (request: Input) => string | undefined,
) =>
  perNetwork<Input>(
    {
      name: 'client-metadata',
      tokens: 120,
      perMs: 10 * 60_000,
      site: { tokens: 600 },
      isShared: true,
    },
    (request) => (getClientId(request)?.startsWith('https:') ? '' : undefined),
  );
