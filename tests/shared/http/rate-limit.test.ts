import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';

import { limitKeys } from '../../../shared/http/keys.ts';
import { consumeToken, type RateLimit, refundToken } from '../../../shared/http/rate-limit.ts';
import { sendRequests } from '../../support/service/direct-calls.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useTable();

const start = Date.parse('2030-01-01T00:00:00Z');
const timeoutMs = 25_000;
const limit = { name: 'test', tokens: 10, perMs: 100_000 } as const satisfies RateLimit;

let number = 0;
/** A user who has taken nothing yet. */
const newcomer = () => `someone-${++number}`;
const inTime = () => AbortSignal.timeout(timeoutMs);
const take = (who: string, from: RateLimit = limit) => consumeToken(from, who, inTime());
/** How many of so many tries, one after another, get a token. */
const takenOf = async (attempts: number, who: string, from: RateLimit = limit): Promise<number> => {
  let taken = 0;
  for (let tried = 0; tried < attempts; tried++) taken += Number((await take(who, from)).isTaken);
  return taken;
};
const at = (ms: number) => vi.setSystemTime(start + ms);

beforeEach(() => {
  process.env['RATE_LIMIT_FACTOR'] = '1';
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('consumeToken and refundToken', () => {
  it('consumes all tokens immediately, then one per interval', async () => {
    const who = newcomer();
    expect(await takenOf(12, who)).toBe(10);
    at(9_999);
    expect(await takenOf(2, who)).toBe(0);
    at(10_000);
    expect(await takenOf(2, who)).toBe(1);
    at(35_000);
    expect(await takenOf(5, who)).toBe(2);
    at(39_999);
    expect(await takenOf(1, who)).toBe(0);
    at(40_000);
    expect(await takenOf(2, who)).toBe(1);
    at(10_000_000);
    expect(await takenOf(12, who)).toBe(10);
  });

  it('returns the remaining tokens and the time to the next one', async () => {
    const who = newcomer();
    const state = { isTaken: true, tokens: 10 };
    expect(await take(who)).toEqual({ ...state, remaining: 9, retryAfterMs: 10_000 });
    at(4_000);
    expect(await take(who)).toEqual({ ...state, remaining: 8, retryAfterMs: 6_000 });
    expect(await takenOf(8, who)).toBe(8);
    const refused = { isTaken: false, tokens: 10, remaining: 0, retryAfterMs: 6_000 };
    expect(await take(who)).toEqual(refused);
    at(9_999);
    expect(await take(who)).toEqual({ ...refused, retryAfterMs: 1 });
    at(10_000);
    expect(await take(who)).toEqual({ ...state, remaining: 0, retryAfterMs: 10_000 });
  });

  it('consumes no more tokens than the bucket holds in 200 concurrent requests', async () => {
    const who = newcomer();
    const wide = { name: 'wide', tokens: 50, perMs: 100_000 };
    const takings = await Promise.all(Array.from({ length: 200 }, () => take(who, wide)));
    const left = takings.filter(({ isTaken }) => isTaken).map(({ remaining }) => remaining);
    // Each of the fifty saw another number of tokens left.
    expect(left.sort((a, b) => b - a)).toEqual(
      Array.from({ length: 50 }, (_, index) => 49 - index),
    );
    expect(await takenOf(1, who, wide)).toBe(0);
  });

  it('consumes the last token once in 30 concurrent requests', async () => {
    const who = newcomer();
    expect(await takenOf(10, who)).toBe(10);
    at(10_000);
    const takings = await Promise.all(Array.from({ length: 30 }, () => take(who)));
    expect(takings.filter(({ isTaken }) => isTaken)).toHaveLength(1);
  });

  it('keeps a bucket per limit and key', async () => {
    const who = newcomer();
    expect(await takenOf(11, who)).toBe(10);
    expect(await takenOf(11, newcomer())).toBe(10);
    expect(await takenOf(11, who, { ...limit, name: 'other' })).toBe(10);
  });

  it('refunds a token, but never beyond the bucket size', async () => {
    const who = newcomer();
    expect(await takenOf(11, who)).toBe(10);
    const one = { tokens: 10, remaining: 1, retryAfterMs: 10_000 };
    expect(await refundToken(limit, who, inTime())).toEqual(one);
    expect(await takenOf(2, who)).toBe(1);
    at(99_000);
    const full = { tokens: 10, remaining: 10, retryAfterMs: 0 };
    expect(await refundToken(limit, who, inTime())).toEqual(full);
    expect(await refundToken(limit, who, inTime())).toEqual(full);
    expect(await takenOf(12, who)).toBe(10);
    expect(await refundToken(limit, newcomer(), inTime())).toEqual(full);
  });

  it('adds no token when the clock goes backwards', async () => {
    const who = newcomer();
    at(50_000);
    expect(await takenOf(4, who)).toBe(4);
    at(0);
    expect(await takenOf(11, who)).toBe(1);
    expect(await take(who)).toMatchObject({ isTaken: false, remaining: 0, retryAfterMs: 10_000 });
    at(-1_000_000);
    expect(await take(who)).toMatchObject({
      isTaken: false,
      remaining: 0,
      retryAfterMs: 1_010_000,
    });
    at(50_000);
    expect(await takenOf(11, who)).toBe(5);
  });

  it('expires only after the bucket has been full for a while', async () => {
    const who = newcomer();
    expect(await takenOf(11, who)).toBe(10);
    const [bucket] = await itemsOf(limitKeys.bucket.partition({ limit: 'test', who }).pk);
    expect(Number(bucket?.['ttl']) * 1_000).toBe(start + 2 * limit.perMs);
    at(3 * limit.perMs);
    expect(await takenOf(11, who)).toBe(10);
  });
});

describe('a write with a lost response', () => {
  beforeAll(sendRequests);

  /** Lets the answers of the next writes of a kind be lost once each, below the SDK's own retries. */
  const loseNext = (count: number) => {
    let left = count;
    documentClient().middlewareStack.add(
      (next) => async (args) => {
        const response = await next(args);
        if (left === 0) return response;
        left--;
        throw Object.assign(new Error('The answer was lost'), { name: 'TimeoutError' });
      },
      { step: 'finalizeRequest', priority: 'low', name: 'lose', override: true },
    );
  };
  afterEach(() => {
    documentClient().middlewareStack.remove('lose');
  });

  it('consumes one token of a full bucket', async () => {
    const who = newcomer();
    loseNext(1);
    expect(await take(who)).toEqual({
      isTaken: true,
      tokens: 10,
      remaining: 9,
      retryAfterMs: 10_000,
    });
    expect(await takenOf(11, who)).toBe(9);
  });

  it('consumes one token of a partly filled bucket', async () => {
    const who = newcomer();
    expect(await takenOf(3, who)).toBe(3);
    const send = vi.spyOn(documentClient(), 'send');
    // The first write finds that the bucket is not full; a failed condition is not lost.
    loseNext(1);
    expect(await take(who)).toMatchObject({ isTaken: true, remaining: 6 });
    expect(send).toHaveBeenCalledTimes(2);
    expect(await takenOf(11, who)).toBe(6);
  });

  it('refunds one token', async () => {
    const who = newcomer();
    expect(await takenOf(10, who)).toBe(10);
    loseNext(1);
    expect(await refundToken(limit, who, inTime())).toMatchObject({ remaining: 1 });
    expect(await takenOf(3, who)).toBe(1);
  });
});

describe('RATE_LIMIT_FACTOR', () => {
  it.each([
    ['1', 10],
    ['0.5', 5],
    ['0.3', 3],
    ['0.001', 1],
    ['2.5', 25],
  ])('%s makes ten tokens %i, in the same time', async (factor, tokens) => {
    process.env['RATE_LIMIT_FACTOR'] = factor;
    const who = newcomer();
    expect(await takenOf(tokens + 2, who)).toBe(tokens);
    at(limit.perMs);
    expect(await takenOf(tokens + 2, who)).toBe(tokens);
  });

  it.each(['100', '1000', '999999.999'])('%s keeps to the time', async (factor) => {
    process.env['RATE_LIMIT_FACTOR'] = factor;
    const who = newcomer();
    const { tokens, remaining, retryAfterMs } = await take(who);
    expect(tokens).toBe(Math.min(10 * Number(factor), limit.perMs));
    expect([remaining, retryAfterMs]).toEqual([tokens - 1, limit.perMs / tokens]);
  });

  it('rounds the interval down to whole ms', async () => {
    const who = newcomer();
    const seven = { name: 'seven', tokens: 7, perMs: 1_000 };
    expect(await take(who, seven)).toMatchObject({ remaining: 6, retryAfterMs: 142 });
    expect(await takenOf(7, who, seven)).toBe(6);
    at(1_000);
    expect(await takenOf(8, who, seven)).toBe(7);
  });

  it('keeps a bucket within its size when the factor changes', async () => {
    const who = newcomer();
    process.env['RATE_LIMIT_FACTOR'] = '100';
    expect(await takenOf(3, who)).toBe(3);
    process.env['RATE_LIMIT_FACTOR'] = '1';
    expect(await takenOf(11, who)).toBeLessThanOrEqual(10);
  });
});

describe('route limits', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const password = [
    ['share-password', 5, 10 * minute],
    ['share-password-48', 30, hour],
    ['share-password-all', 60, hour],
  ];

  const reports = [
    ['share-report', 10, hour],
    ['share-report-48', 50, hour],
  ];
  const comparisons = [
    ['share-diff', 60, 10 * minute],
    ['share-diff-48', 300, 10 * minute],
  ];

  const codes = [
    ['code', 5, 15 * minute],
    ['code-day', 30, 24 * hour],
  ];

  /** Those whose numbers are promised. */
  const decided: Record<string, unknown> = {
    'POST /api/auth/login': [
      ['login-address', 100, 15 * minute],
      ['login-address-48', 500, 15 * minute],
      ['login', 10, 15 * minute],
      ['login-48', 30, 15 * minute],
      ['login-email', 100, 15 * minute],
    ],
    'POST /api/auth/mfa': codes,
    'POST /second-factor': codes,
    'POST /api/auth/passkeys/options': [['own-password', 10, 15 * minute]],
    'POST /api/auth/totp': [['own-password', 10, 15 * minute]],
    'POST /api/auth/totp/confirm': codes,
    'POST /api/auth/reauthenticate': [['own-password', 10, 15 * minute], ...codes],
    'POST /api/auth/register': [
      ['register', 20, hour],
      ['register-48', 100, hour],
    ],
    'POST /api/auth/forgot-password': [
      ['forgot-address', 20, hour],
      ['forgot-address-48', 100, hour],
    ],
    'POST /api/share': [['share', 30, 10 * minute]],
    'POST /api/share/uploads': [['share-upload', 60, 10 * minute]],
    'GET /api/share': [
      ...password,
      ['share-proof', 60, 10 * minute],
      ['share-proof-48', 300, 10 * minute],
    ],
    'POST /s/{id}/open': password,
    'POST /api/markdown': [
      ['markdown', 30, minute],
      ['markdown-48', 150, minute],
    ],
    'GET /api/users/directory': [['directory', 60, minute]],
  };

  const exports = [['export', 60, 10 * minute]];

  /** Those whose numbers are a choice. */
  const clientMetadata = [
    ['client-metadata', 120, 10 * minute],
    ['client-metadata-48', 600, 10 * minute],
  ];

  const chosen: Record<string, unknown> = {
    'POST /api/auth/login/passkey': [
      ['passkey', 60, 15 * minute],
      ['passkey-48', 300, 15 * minute],
    ],
    'POST /api/auth/login/email': [
      ['email-code-address', 20, hour],
      ['email-code-address-48', 100, hour],
      ['email-code', 3, 3 * hour],
      ['email-code-48', 10, 3 * hour],
    ],
    'POST /api/auth/login/email/code': [
      ['email-code-try-address', 100, 15 * minute],
      ['email-code-try-address-48', 500, 15 * minute],
      ['email-code-try', 10, 15 * minute],
      ['email-code-try-48', 30, 15 * minute],
    ],
    'POST /api/auth/login/passkey/options': [
      ['passkey-options', 300, 15 * minute],
      ['passkey-options-48', 1_000, 15 * minute],
    ],
    'GET /login/{provider}': [
      ['provider', 300, 15 * minute],
      ['provider-48', 1_000, 15 * minute],
    ],
    'GET /login/{provider}/callback': [
      ['provider-response', 300, 15 * minute],
      ['provider-response-48', 1_000, 15 * minute],
    ],
    'PUT /api/share/{id}': [
      ['share', 30, 10 * minute],
      ['share-change', 300, 10 * minute],
    ],
    'GET /api/users/export': exports,
    'GET /api/sales/export': exports,
    'GET /api/audit/export': exports,
    'GET /api/shares/export': exports,
    'POST /api/users/export': exports,
    'POST /api/sales/export': exports,
    'POST /api/audit/export': exports,
    'POST /api/shares/export': exports,
    'POST /api/users/import': [['user-import', 60, 10 * minute]],
    'GET /api/apps/request': [['app-request', 60, 10 * minute], ...clientMetadata],
    'POST /api/apps/consent': [
      ['app-consent', 60, 10 * minute],
      ...clientMetadata,
      ['own-password', 10, 15 * minute],
    ],
    'POST /oauth/register': [
      ['oauth-register', 60, hour],
      ['oauth-register-48', 300, hour],
    ],
    'POST /oauth/token': [
      ['oauth-token', 300, 10 * minute],
      ['oauth-token-48', 1_500, 10 * minute],
    ],
    'POST /oauth/revoke': [
      ['oauth-revoke', 300, 10 * minute],
      ['oauth-revoke-48', 1_500, 10 * minute],
    ],
    'POST /mcp': [['mcp', 120, minute]],
    'PUT /api/share/{id}/files/{path+}': [['share', 30, 10 * minute]],
    'POST /api/share/{id}/report': reports,
    'POST /api/share/{id}/revisions/{version}/restore': [['share', 30, 10 * minute]],
    'GET /api/share/{id}/revisions/{version}/diff': comparisons,
    'GET /s/{id}/revisions': comparisons,
    'GET /api/documents/{id}/revisions/{version}/diff': [['document-diff', 60, 10 * minute]],
    'POST /s/{id}/end': [
      ['share-end', 10, hour],
      ['share-end-48', 50, hour],
    ],
    'POST /s/{id}/code': [
      ['share-code', 30, hour],
      ['share-code-48', 150, hour],
    ],
    'POST /s/{id}/proof': [
      ['share-code-try', 60, hour],
      ['share-code-try-48', 300, hour],
    ],
    'POST /api/share/{id}/links': [['share-link-email', 60, hour]],
    'POST /api/share/{id}/links/{linkId}/send': [['share-link-email', 60, hour]],
    'PUT /api/share/{id}/links/{linkId}': [['share-link-email', 60, hour]],
    'POST /s/{id}/report': reports,
    'POST /api/share/requests': [['share', 30, 10 * minute]],
    'PUT /api/share/requests/{id}': [['share-change', 300, 10 * minute]],
    'POST /r/{id}': [
      ...password,
      ['share-submission', 10, hour],
      ['share-submission-48', 50, hour],
    ],
    'POST /r/{id}/report': reports,
    'POST /api/webhooks': [['webhook-change', 60, 10 * minute]],
    'PUT /api/webhooks/{id}': [['webhook-change', 60, 10 * minute]],
    'POST /api/webhooks/{id}/secret': [['webhook-change', 60, 10 * minute]],
    'POST /api/webhooks/{id}/test': [['webhook-send', 30, 10 * minute]],
    'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': [
      ['webhook-send', 30, 10 * minute],
    ],
    'POST /api/webhooks/{id}/redeliver': [['webhook-send', 30, 10 * minute]],
    'POST /api/messages': [['message', 60, 10 * minute]],
    'GET /calendar/{token}/events.ics': [
      ['calendar-feed', 30, 10 * minute],
      ['calendar-feed-48', 150, 10 * minute],
    ],
    'PUT /api/auth/password': [['own-password', 10, 15 * minute]],
    'DELETE /api/users/me': [['own-password', 10, 15 * minute]],
    'POST /api/users/me/exports/{id}/download': [['own-password', 10, 15 * minute]],
    'POST /api/settings/test-mail': [['test-mail', 5, 15 * minute]],
    'POST /api/auth/tokens': [['own-password', 10, 15 * minute]],
    'POST /api/auth/send-verification': [
      ['verification', 5, hour],
      ['verification-address', 5, hour],
    ],
    'PUT /api/users/me': [
      ['own-password', 10, 15 * minute],
      ['new-email', 30, hour],
      ['verification-address', 5, hour],
    ],
  };

  it('match the documented limits', () => {
    const all = [...listRoutes('service'), ...listRoutes('snippets')];
    const limits = all.flatMap(({ method, path, limits = [] }) =>
      limits.length === 0
        ? []
        : [[`${method} ${path}`, limits.map(({ name, tokens, perMs }) => [name, tokens, perMs])]],
    );
    expect(Object.fromEntries(limits)).toEqual({ ...decided, ...chosen });
  });
});
