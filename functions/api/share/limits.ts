import type { Actor } from '../../../shared/auth/actor.ts';
import type { RateLimit } from '../../../shared/http/rate-limit.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';

const minuteMs = 60_000;

/** Shares that a user makes (decisions.md#rate-limits). */
export const creationLimits = [
  {
    name: 'share',
    tokens: 30,
    perMs: 10 * minuteMs,
    key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
  },
] as const;

const ofAddress = { name: 'share-password', tokens: 5, perMs: 10 * minuteMs } as const;
const ofShare = {
  name: 'share-password-all',
  tokens: 60,
  perMs: 60 * minuteMs,
  isShared: true,
} as const;

/** Which share a request gives a password for; `undefined` where it gives none. */
type Tried<Input> = (request: Input) => string | undefined;

/** Wrong passwords of a share, the same buckets whichever route is tried; a right one costs nothing. */
export const passwordLimits = <Input>(tried: Tried<Input>) => {
  type Request = Input & { readonly client: ClientInfo };
  const limit = (base: RateLimit, key: Tried<Request>) => ({
    ...base,
    failuresOnly: true,
    guardsPassword: true,
    key,
  });
  return [
    limit(ofAddress, (request) => {
      const id = tried(request);
      return id && `${id} ${request.client.network}`;
    }),
    limit(ofShare, tried),
  ];
};

/** Reports of shares. */
export const reportLimits = [
  {
    name: 'share-report',
    tokens: 10,
    perMs: 60 * minuteMs,
    key: ({ client }: { readonly client: ClientInfo }) => client.network,
  },
] as const;
