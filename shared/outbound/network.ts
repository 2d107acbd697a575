import { Resolver } from 'node:dns/promises';
import { connect, isIPv6, type Socket } from 'node:net';

/** What fetching needs of the network, so that a test can be a network of its own. */
export interface Network {
  /** Resolves a name to all its addresses; none if it has none. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Connects to the port 443 of one of these addresses, and to no other. */
  connect(addresses: readonly string[]): Socket;
  /** Certificate authorities in PEM, instead of those of Node.js. */
  readonly ca?: string;
}

/** How long a name server has to answer, and how often it is asked. */
const dnsOptions = { timeout: 1_500, tries: 2 };

/**
 * The internet. Names are resolved by DNS alone: neither a file of hosts nor a search domain can make one stand for a host
 * nearby.
 */
export const internet: Network = {
  async resolve(host, signal) {
    const resolver = new Resolver(dnsOptions);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  },

  connect(addresses) {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    return connect({
      // Never resolved: the addresses are those that were checked.
      host: 'checked',
      port: 443,
      autoSelectFamily: true,
      lookup: (_host, _options, done) => done(null, found),
    });
  },
};
