import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { describeDevice } from '../../../shared/auth/device.ts';
import { Reply } from '../../../shared/http/reply.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import type { Provider } from '../../../shared/runtime/provider-settings.ts';
import { getLogger, getMetrics } from '../../../shared/runtime/telemetry.ts';
import { readDeviceCookie } from '../../api/auth/factors/trusted-device.ts';
import { connectIdentity } from '../../api/auth/identities/connect-identity.ts';
import type { Identity } from '../../api/auth/identities/identity.ts';
import { createCookie } from '../../api/auth/sessions.ts';
import { signInByIdentity } from '../../api/auth/sign-in-by-identity.ts';
import { getDestination } from '../layout/addresses/destination.ts';
import { readTheme } from '../layout/theme.ts';
import { page } from '../password/reply.ts';
import { showSecondStep } from '../password/second-factor-route.ts';
import { consumeResponse, endFlow, type Flow, getChecks } from './flow.ts';
import { connectRefusalPage, failurePage, leadingPage, refusalPage } from './pages.ts';
import { ProviderError, type ProviderReason } from './protocol/provider-error.ts';
import { providerTexts as texts } from './texts.ts';

/** A request about a provider. */
export interface ProviderRequest {
  readonly provider: Provider;
  readonly cookies: readonly string[];
}

const statusByReason: Readonly<Record<ProviderReason, number>> = {
  canceled: 200,
  expired: 400,
  invalid: 400,
  unavailable: 503,
  misconfigured: 503,
};

/** Shows why there is no sign-in. */
export const showFailure = (
  reason: ProviderReason,
  { provider, cookies }: ProviderRequest,
  { next, con }: Partial<Pick<Flow, 'next' | 'con'>>,
): Reply<string> => {
  const failure = { provider, next, theme: readTheme(cookies) };
  return page(failurePage(reason, failure, con !== undefined), statusByReason[reason]);
};

/** Logs what only operators can do something about. Neither the log nor the audit log has anything that was sent. */
export const logFailure = ({ reason, message }: ProviderError, { name }: Provider): void => {
  if (reason === 'canceled' || reason === 'expired') return;
  getLogger().warn('Provider sign-in failed', { provider: name, reason, detail: message });
};

const auditFailure = async (
  { reason }: ProviderError,
  { name }: Provider,
  client: ClientInfo,
  recorder: ChangeRecorder,
): Promise<void> => {
  if (reason === 'canceled' || reason === 'expired') return;
  getMetrics().addMetric('LoginFailures', 'Count', 1);
  await recorder.record({
    subject: 'user:unknown',
    action: 'session.fail',
    after: {
      reason: `provider response ${reason}`,
      method: 'provider',
      provider: name,
      ...describeDevice(client),
    },
  });
};

/** The response of a provider to a flow of this browser. */
export interface ProviderResponse extends ProviderRequest {
  readonly flow: Flow;
  /** As it was sent. */
  readonly query: string;
  readonly client: ClientInfo;
  readonly recorder: ChangeRecorder;
}

const withCookies = (reply: Reply<string>, cookies: readonly string[]): Reply<string> =>
  new Reply(reply.body, {
    status: reply.status ?? 200,
    headers: reply.headers,
    cookies: [...cookies, ...reply.cookies],
  });

const connect = async (
  identity: Identity,
  by: NonNullable<Flow['con']>,
  { provider, cookies, flow, client, recorder }: ProviderResponse,
): Promise<Reply<string>> => {
  const theme = readTheme(cookies);
  const outcome = await connectIdentity(identity, by, consumeResponse(flow), client, recorder);
  return outcome.kind === 'connected'
    ? page(leadingPage(texts.connected(provider.label), getDestination(flow.next), theme))
    : page(connectRefusalPage(outcome.reason, { provider, theme }), 409);
};

const signIn = async (
  identity: Identity,
  { provider, cookies, flow, client, recorder }: ProviderResponse,
): Promise<Reply<string>> => {
  const { next } = flow;
  const theme = readTheme(cookies);
  const device = readDeviceCookie(cookies);
  const options = { device, use: consumeResponse(flow) };
  const outcome = await signInByIdentity(identity, options, client, recorder);
  if (outcome.kind === 'refused') {
    return page(refusalPage(outcome.reason, { provider, next, theme }, identity.email), 403);
  }
  const destination = getDestination(next);
  if (outcome.kind === 'second-step') return showSecondStep(outcome, destination, theme);
  const cookie = await createCookie(outcome.session, outcome.user);
  return withCookies(page(leadingPage(texts.signedIn, destination, theme)), [cookie]);
};

const complete = async (response: ProviderResponse): Promise<Reply<string>> => {
  const { provider, flow, query, client, recorder } = response;
  try {
    const { readAuthorization } = await import('./protocol/authorization.ts');
    const identity = await readAuthorization(provider, query, getChecks(flow));
    return await (flow.con ? connect(identity, flow.con, response) : signIn(identity, response));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logFailure(error, provider);
    await auditFailure(error, provider, client, recorder);
    return showFailure(error.reason, response, flow);
  }
};

/** Signs in, or connects an account, by the response of a provider. Whatever comes of it, its flow has ended. */
export const respond = async (response: ProviderResponse): Promise<Reply<string>> =>
  withCookies(await complete(response), [endFlow(response.flow)]);
