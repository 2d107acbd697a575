import type { FunctionName } from '../../../../infra/functions/config/function-config.ts';
import type { FirstRequest } from './cold-start.ts';

interface Call {
  /** Such as `GET /s/{id}`. */
  readonly routeKey: string;
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status?: number;
}

/**
 * A first request of each function: a list, or its main purpose. An administrator lacks some permissions, but the error
 * follows only after session and permissions are read.
 */
const calls: Readonly<Record<Exclude<FunctionName, 'jobs' | 'exports'>, Call>> = {
  auth: { routeKey: 'GET /api/auth/me' },
  users: { routeKey: 'GET /api/users' },
  audit: { routeKey: 'GET /api/audit', status: 403 },
  documents: { routeKey: 'GET /api/documents' },
  files: { routeKey: 'GET /api/files' },
  messages: { routeKey: 'GET /api/messages' },
  notifications: { routeKey: 'GET /api/notifications' },
  calendar: { routeKey: 'GET /api/calendar/events' },
  sales: { routeKey: 'GET /api/sales', status: 403 },
  dashboard: { routeKey: 'GET /api/dashboard/stats', status: 403 },
  settings: { routeKey: 'GET /api/settings', status: 403 },
  share: { routeKey: 'GET /api/share', query: { mine: 'true' } },
  checkin: { routeKey: 'GET /api/checkin' },
  markdown: { routeKey: 'POST /api/markdown', body: { markdown: 'Some *words*' } },
  apps: { routeKey: 'GET /api/apps' },
  webhooks: { routeKey: 'GET /api/webhooks' },
  mcp: {
    routeKey: 'POST /mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  },
  site: { routeKey: 'GET /' },
  password: { routeKey: 'GET /reset', status: 400 },
  'provider-sign-in': { routeKey: 'GET /login/{provider}', id: 'none', status: 404 },
  assets: { routeKey: 'GET /assets/scripts/{id}', id: 'none', status: 404 },
  docs: { routeKey: 'GET /api/openapi.json' },
  health: { routeKey: 'GET /api/health' },
  'share-page': { routeKey: 'GET /s/{id}', id: 'no-such-share', status: 404 },
  'request-page': { routeKey: 'GET /r/{id}', id: 'no-such-request', status: 404 },
  snippet: { routeKey: 'GET /preview' },
};

const eventOf = ({ routeKey, id, query, body }: Call, token: string) => {
  const [method, route = ''] = routeKey.split(' ');
  const rawPath = route.replace(/\{\w+\}/, id ?? '');
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    ...(query && { queryStringParameters: query }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    requestContext: {
      accountId: '0',
      apiId: 'bench',
      domainName: 'handbill.test',
      domainPrefix: 'bench',
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.1',
        userAgent: 'bench',
      },
      requestId: 'bench',
      routeKey,
      stage: '$default',
      time: '',
      timeEpoch: Date.now(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
};

const answeredWith =
  (status: number) =>
  (response: unknown): boolean =>
    Object(response).statusCode === status;

/** A scheduled run with nothing due. */
const minute: FirstRequest = {
  event: { source: 'aws.events', 'detail-type': 'Scheduled Event' },
  isAnsweredBy: (response) => response === null,
};

/** A call while no export is due. */
const nothingDue: FirstRequest = { event: {}, isAnsweredBy: (response) => response === null };

const nowhere: Call = { routeKey: '$default', status: 404 };

/** Returns the first request of a function or baseline, with this access token. */
export const firstRequest = (name: string, token: string): FirstRequest => {
  if (name === 'jobs') return minute;
  if (name === 'exports') return nothingDue;
  const call = name === 'fallback' ? nowhere : (calls[name as keyof typeof calls] ?? calls.health);
  return { event: eventOf(call, token), isAnsweredBy: answeredWith(call.status ?? 200) };
};
