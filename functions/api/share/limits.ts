import type { Actor } from '../../../shared/auth/actor.ts';
import type { RateLimit } from '../../../shared/http/rate-limit.ts';
import type { ClientInfo, RouteLimit } from '../../../shared/http/route.ts';

interface ComparisonQuery {
  readonly version?: number | undefined;
}

const minuteMs = 60_000;

/** Limits how many shares a user creates (decisions.md#rate-limits). */
export const creationLimits = [
  {
    name: 'share',
    tokens: 30,
    perMs: 10 * minuteMs,
    key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
  },
] as const;

/** Limits changes of shares: new content like new shares, everything else more generously (decisions.md#rate-limits). */
export const changeLimits = <Body extends { readonly content?: unknown }>() => {
  interface Request {
    readonly actor: Actor;
    readonly body: Body;
  }
  return [
    {
      ...creationLimits[0],
      key: ({ actor, body }: Request) =>
        body.content === undefined ? undefined : String(actor.user.id),
    },
    {
      name: 'share-change',
      tokens: 300,
      perMs: 10 * minuteMs,
      key: ({ actor, body }: Request) =>
        body.content === undefined ? String(actor.user.id) : undefined,
    },
  ];
};

const perClient = { name: 'share-password', tokens: 5, perMs: 10 * minuteMs } as const;
const perShare = {
  name: 'share-password-all',
  tokens: 60,
  perMs: 60 * minuteMs,
  isShared: true,
} as const;

/** Returns the id of the share that a request gives a password for, if it does. */
type GetTriedShare<Input> = (request: Input) => ReturnType<RouteLimit['key']>;

/** Limits incorrect passwords of a share, across all routes. A correct one consumes nothing. */
export const passwordLimits = <Input>(getTriedShare: GetTriedShare<Input>) => {
  type Request = Input & { readonly client: ClientInfo };
  const limit = (base: RateLimit, key: GetTriedShare<Request>) => ({
    ...base,
    failuresOnly: true,
    guardsPassword: true,
    key,
  });
  return [
    limit(perClient, async (request) => {
      const id = await getTriedShare(request);
      return id && `${id} ${request.client.network}`;
    }),
    limit(perShare, getTriedShare),
  ];
};

/** Limits requests of a network, signed in or not. */
const perNetwork = (limit: RateLimit) =>
  [{ ...limit, key: ({ client }: { readonly client: ClientInfo }) => client.network }] as const;

/** Limits how many revisions a reader compares, which takes up to 1 s each. */
export const comparisonLimits = perNetwork({
  name: 'share-diff',
  tokens: 60,
  perMs: 10 * minuteMs,
});

/** Limits the comparisons of the page of revisions. Its list alone takes no token. */
export const shownComparisonLimits = [
  {
    ...comparisonLimits[0],
    key: ({ client, query }: { readonly client: ClientInfo; readonly query: ComparisonQuery }) =>
      query.version === undefined ? undefined : client.network,
  },
];

/** Limits how many shares a reader ends. */
export const endLimits = perNetwork({ name: 'share-end', tokens: 10, perMs: 60 * minuteMs });

/** Limits reports. */
export const reportLimits = perNetwork({ name: 'share-report', tokens: 10, perMs: 60 * minuteMs });
