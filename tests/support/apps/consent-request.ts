import type { Page } from 'playwright-core';

/** The parameters of an authorization request, as a client sends them. */
export const requestParameters = {
  response_type: 'code',
  client_id: 'https://claude.example/client.json',
  redirect_uri: 'https://claude.example/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 'xyz',
} as const;

/** Returns the address of the consent page with a request. */
export const toConsent = (parameters: Readonly<Record<string, string>> = {}): string =>
  `/authorize?${new URLSearchParams({ ...requestParameters, ...parameters })}`;

/** What the service asks about a client that wants to publish. */
export const question = {
  outcome: 'ask',
  client: { name: 'Claude', host: 'claude.example' },
  redirectHost: 'claude.example',
  isLoopback: false,
  isKnown: false,
  permissions: ['shares:create', 'shares:update', 'shares:view'],
  ceiling: { maxAudience: 'private', maxAge: 7 * 86_400, sharesPerDay: 20 },
  limits: { maxAudience: 'link' },
} as const;

/** An answer of the API in place of the service's own. */
interface Answer {
  readonly status?: number;
  readonly data?: unknown;
  readonly error?: object;
}

const toResponse = ({ status = 200, data, error }: Answer) => ({
  status,
  json: error === undefined ? { success: true, data } : { success: false, error },
});

/** Answers what the page asks about its request. */
export const answerRequest = async (
  page: Page,
  answer: Answer = { data: question },
): Promise<void> => {
  await page.route('**/api/apps/request?*', (route) => route.fulfill(toResponse(answer)));
};

/** Answers decisions, one after the other, and the last answer to all that follow. Returns what was sent. */
export const answerDecisions = async (page: Page, ...answers: readonly Answer[]) => {
  const sent: Record<string, unknown>[] = [];
  await page.route('**/api/apps/consent', (route) => {
    sent.push(route.request().postDataJSON());
    const answer = answers[Math.min(sent.length, answers.length) - 1] ?? {};
    return answer.status === 0 ? route.abort() : route.fulfill(toResponse(answer));
  });
  return sent;
};
