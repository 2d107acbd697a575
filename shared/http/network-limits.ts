import { getSite } from './network.ts';
import type { RateLimit } from './rate-limit.ts';
import type { ClientInfo, RouteLimit } from './route.ts';

interface WithClient {
  readonly client: ClientInfo;
}

/** A limit by network. `site` is the bucket of an IPv6 /48, which holds 65,536 networks: its size and, if it differs, time. */
interface NetworkLimit
  extends RateLimit,
    Pick<RouteLimit, 'guardsPassword' | 'isShared' | 'isRoutesChoice'> {
  readonly site: Pick<RateLimit, 'tokens'> & Partial<Pick<RateLimit, 'perMs'>>;
  readonly failuresOnly?: true;
  readonly countNotFound?: true;
}

type Subject = ReturnType<RouteLimit['key']>;

/** Joins a subject, if any, and a network. */
const join = (subject: string, network: string): string =>
  subject === '' ? network : `${subject} ${network}`;

/**
 * Limits requests by network and, if given, by what they are about, such as a share (`undefined`: no limit). IPv4 counts
 * in one bucket, IPv6 in those of its /64 and its /48 (decisions.md#rate-limits).
 */
export const perNetwork = <Input extends WithClient>(
  { site, ...limit }: NetworkLimit,
  getSubject: (request: Input) => Subject = () => '',
) => {
  const keyOf = async (request: Input, network: string): Promise<string | undefined> => {
    const subject = await getSubject(request);
    return subject === undefined ? undefined : join(subject, network);
  };
  return [
    { ...limit, key: (request: Input): Subject => keyOf(request, request.client.network) },
    {
      ...limit,
      name: `${limit.name}-48`,
      ...site,
      isShared: true,
      key: (request: Input): Subject => {
        const network = getSite(request.client.ip);
        return network === undefined ? undefined : keyOf(request, network);
      },
    },
  ] as const;
};
