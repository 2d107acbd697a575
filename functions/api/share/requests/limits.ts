import type { Actor } from '../../../../shared/auth/actor.ts';
import { perNetwork } from '../../../../shared/http/network-limits.ts';
import type { ClientInfo, RouteLimit } from '../../../../shared/http/route.ts';

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

/** Limits how many uploads a user starts, and how often their forms are signed: in parts, one share takes several. */
export const uploadLimits = [
  {
    name: 'share-upload',
    tokens: 60,
    perMs: 10 * minuteMs,
    key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
  },
] as const;

const otherChanges = { name: 'share-change', tokens: 300, perMs: 10 * minuteMs } as const;

/** Limits changes of share requests, as other changes of shares. */
export const requestChangeLimits = [
  { ...otherChanges, key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id) },
] as const;

/** Limits changes of shares: new content like new shares, everything else more generously (decisions.md#rate-limits). */
export const changeLimits = <
  Body extends {
    readonly content?: unknown;
    readonly files?: unknown;
    readonly upload?: unknown;
    readonly main?: unknown;
  },
>() => {
  interface Request {
    readonly actor: Actor;
    readonly body: Body;
  }
  const hasContent = ({ content, files, upload, main }: Body): boolean =>
    content !== undefined || files !== undefined || upload != null || main != null;
  return [
    {
      ...creationLimits[0],
      key: ({ actor, body }: Request) => (hasContent(body) ? String(actor.user.id) : undefined),
    },
    {
      ...otherChanges,
      key: ({ actor, body }: Request) => (hasContent(body) ? undefined : String(actor.user.id)),
    },
  ];
};

const guardsPassword = { failuresOnly: true, guardsPassword: true } as const;

/** Returns the id of the share that a request gives a password for, if it does. */
type GetTriedShare<Input> = (request: Input) => ReturnType<RouteLimit['key']>;

/** Limits incorrect passwords of a share, across all routes. A correct one consumes nothing. */
export const passwordLimits = <Input>(getTriedShare: GetTriedShare<Input>) => [
  ...perNetwork<Input & { readonly client: ClientInfo }>(
    {
      name: 'share-password',
      tokens: 5,
      perMs: 10 * minuteMs,
      // Gains tokens as fast as a single network, and half as fast as the share, whose limit it can never reach.
      site: { tokens: 30, perMs: 60 * minuteMs },
      ...guardsPassword,
    },
    getTriedShare,
  ),
  {
    name: 'share-password-all',
    tokens: 60,
    perMs: 60 * minuteMs,
    isShared: true,
    ...guardsPassword,
    key: getTriedShare,
  },
];

/** Limits wrong keys of sealed shares by network alone. A right one consumes nothing. */
export const proofLimits = <Input>(getTriedKey: GetTriedShare<Input>) =>
  perNetwork<Input & { readonly client: ClientInfo }>(
    {
      name: 'share-proof',
      tokens: 60,
      perMs: 10 * minuteMs,
      site: { tokens: 300 },
      failuresOnly: true,
    },
    getTriedKey,
  );

const comparisons = {
  name: 'share-diff',
  tokens: 60,
  perMs: 10 * minuteMs,
  site: { tokens: 300 },
} as const;

/** Limits how many revisions a reader compares, which takes up to 1 s each. */
export const comparisonLimits = perNetwork(comparisons);

/** Limits the comparisons of the page of revisions. Its list alone takes no token. */
export const shownComparisonLimits = perNetwork(
  comparisons,
  ({ query }: { readonly client: ClientInfo; readonly query: ComparisonQuery }) =>
    query.version === undefined ? undefined : '',
);

/** Limits how many shares a reader ends. */
export const endLimits = perNetwork({
  name: 'share-end',
  tokens: 10,
  perMs: 60 * minuteMs,
  site: { tokens: 50 },
});

/** Limits how many emails with links a user sends to others. `sends` says whether a request sends one. */
export const linkEmailLimits = <Body>(sends: (body: Body) => boolean) => [
  {
    name: 'share-link-email',
    tokens: 60,
    perMs: 60 * minuteMs,
    key: ({ actor, body }: { readonly actor: Actor; readonly body: Body }) =>
      sends(body) ? String(actor.user.id) : undefined,
  },
];

/** Limits how many codes a network asks for, of all links. Each link has limits of its own. */
export const codeLimits = perNetwork({
  name: 'share-code',
  tokens: 30,
  perMs: 60 * minuteMs,
  site: { tokens: 150 },
});

/** Limits how many codes a network tries, of all links. Each code has a limit of its own. */
export const codeTryLimits = perNetwork({
  name: 'share-code-try',
  tokens: 60,
  perMs: 60 * minuteMs,
  site: { tokens: 300 },
});

/** Limits reports. */
export const reportLimits = perNetwork({
  name: 'share-report',
  tokens: 10,
  perMs: 60 * minuteMs,
  site: { tokens: 50 },
});

/** Limits what visitors hand in. The page says so beside what they typed. */
export const submissionLimits = <Input extends { readonly client: ClientInfo }>(
  isSubmission: (request: Input) => boolean,
) =>
  perNetwork<Input>(
    {
      name: 'share-submission',
      tokens: 10,
      perMs: 60 * minuteMs,
      site: { tokens: 50 },
      isRoutesChoice: true,
    },
    (request) => (isSubmission(request) ? '' : undefined),
  );
