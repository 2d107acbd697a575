import { can, type Permission } from '../../../shared/permissions/permissions.ts';
import { checkAnswer } from '../../support/openapi/document.ts';
import type { Caller } from './callers.ts';
import { signingSecret } from './engines.ts';
import { kindOfPath, type Records } from './records.ts';
import type { FuzzRequest } from './request.ts';
import type { Answer } from './send.ts';
import { password, planted } from './values.ts';

/** A request, its caller and its response. */
export interface Exchange {
  readonly request: FuzzRequest;
  readonly caller: Caller;
  readonly answer: Answer;
  readonly records: Records;
  /** Tokens that no response may contain. */
  readonly secrets: readonly string[];
}

/** Returns the violation, if any. */
type Property = (exchange: Exchange) => string | undefined;

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 400;

const neverFails: Property = ({ answer: { status, text } }) =>
  status >= 500 || status === 0 ? `answered ${status}: ${text.slice(0, 300)}` : undefined;

const isDocumented: Property = ({ request: { operation }, answer: response }) => {
  const { status, headers, body } = response;
  try {
    const contentType = headers['content-type'] ?? '';
    checkAnswer(operation.endpoint, { status, contentType, body });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Unauthorized callers get an authorization error before any other error. */
const asksFirstWhoCalls: Property = ({
  request: { operation },
  caller: client,
  answer: { status },
}) => {
  const { access, scope = 'none' } = operation;
  if (access === 'public' || access === 'optional') return undefined;
  if (client.by === 'none') {
    return status === 401 ? undefined : `answered ${status} to ${client.name}, not 401`;
  }
  const isToken = client.by === 'apiToken';
  const lacksScope = isToken && scope !== 'none' && !client.permissions.includes(scope);
  const isForbidden =
    {
      session: isToken,
      'signed-in': lacksScope,
    }[access as string] ?? !can(client.permissions, access as Permission);
  if (isForbidden && status !== 403) return `answered ${status} to ${client.name}, not 403`;
  return undefined;
};

const mayCall = (exchange: Exchange): boolean => ![401, 403].includes(exchange.answer.status);

/** Removes empty filters, which count as absent; the document describes only others. */
const withoutEmpty = (query: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(query).filter(([, text]) => text !== ''));

/** Requests that don't fit the document are rejected with the names of the fields. */
const refusesWhatDoesNotFit: Property = (exchange) => {
  const { request, answer: response } = exchange;
  const { operation, params, query, body, rawBody } = request;
  if (!mayCall(exchange)) return undefined;
  const { status } = response;
  if (!operation.fitsParameters('path', params)) {
    return status === 404 ? undefined : `answered ${status} at a path that fits nothing, not 404`;
  }
  const isRead = operation.body !== undefined && operation.accepts === 'json';
  const isWrong =
    !operation.fitsParameters('query', withoutEmpty(query)) ||
    (isRead && rawBody === undefined && body !== undefined && !operation.fitsBody(sentOf(body)));
  if (isWrong && ![400, 413].includes(status)) {
    return `answered ${status} to what its document refuses, not 400`;
  }
  return undefined;
};

/** Returns the body as received: JSON has no -0 and no infinity. */
const sentOf = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

const namesTheField: Property = ({ answer: { status, body } }) => {
  if (status !== 400 || typeof body !== 'object') return undefined;
  const details: unknown[] = body.error?.details ?? body.details ?? [];
  const isOfKernel = body.success === false;
  if (isOfKernel && details.length === 0) return `a 400 that names no field: ${body.error.message}`;
  return undefined;
};

/** Permissions of those who may change other users' records, by kind. */
const managers: Readonly<Record<string, Permission | undefined>> = {
  document: 'documents:manage',
  file: 'files:manage',
  event: 'calendar:manage',
  share: 'shares:manage',
};
const ownedOnly = new Set(['document', 'file', 'event', 'share', 'session', 'apiToken']);

const recordOf = ({ request, records }: Exchange) => {
  const kind = kindOfPath(request.operation.path);
  const { id } = request.params;
  return kind && id !== undefined ? { kind, known: records.find(kind, id) } : undefined;
};

/** No one changes another user's records. */
const keepsOwners: Property = (exchange) => {
  const { request, caller: client, answer: response } = exchange;
  const { method, path } = request.operation;
  const found = recordOf(exchange);
  const isChange =
    method !== 'GET' && /\{id\}(\/share|\/unshare|\/restore|\/complete)?$/.test(path);
  if (!found?.known || !isChange || !isSuccess(response)) return undefined;
  const { kind, known } = found;
  const manager = managers[kind];
  const isManager = manager !== undefined && can(client.permissions, manager);
  const isOwn = known.ownerId === undefined || known.ownerId === client.userId;
  if (!ownedOnly.has(kind) || isOwn || isManager) return undefined;
  return `${client.name} could do this to a ${kind} of user ${known.ownerId}`;
};

const takesBack = new Set(['POST /api/documents/{id}/restore', 'DELETE /api/documents/trash/{id}']);

/** Deleted records are never found again. */
const staysDeleted: Property = (exchange) => {
  const { request, caller: client, answer: response } = exchange;
  const found = recordOf(exchange);
  if (!found?.known || !isSuccess(response)) return undefined;
  const { kind, known } = found;
  const { endpoint } = request.operation;
  // The confirmation of a report doesn't depend on the share, which may have been deleted since.
  if (endpoint === 'GET /s/{id}/report' && request.query['sent'] === 'true') return undefined;
  if (known.life === 'deleted') return `there is a ${kind} that was deleted`;
  if (known.life === 'trashed' && !takesBack.has(endpoint))
    return `there is a ${kind} in the trash`;
  if (known.deletedFor.has(client.userId ?? 0)) return `there is a ${kind} whose copy was deleted`;
  return undefined;
};

/** Returns the ids on a list's page. */
export const idsListed = ({ body }: Answer): string[] => {
  const items: unknown = body?.data?.items ?? body?.items ?? [];
  const ids = Array.isArray(items) ? items.map((item) => item?.id) : [];
  return ids.filter((id) => id !== undefined).map(String);
};

const listsNothingDeleted: Property = ({ request, caller: client, answer: response, records }) => {
  const { method, path } = request.operation;
  const kind = kindOfPath(path);
  if (method !== 'GET' || !kind || response.status !== 200) return undefined;
  const isTrash = path.endsWith('/trash');
  const gone = idsListed(response).find((id) => {
    const known = records.find(kind, id);
    const isOther = known?.life === (isTrash ? 'live' : 'trashed');
    return known?.life === 'deleted' || isOther || known?.deletedFor.has(client.userId ?? 0);
  });
  return gone === undefined ? undefined : `lists the ${kind} ${gone}, which isn't there`;
};

const takesNoForeignField: Property = ({ request, answer: { text } }) => {
  if (!request.isForeign) return undefined;
  const found = Object.values(planted).find((value) => text.includes(String(value)));
  return found === undefined ? undefined : `answers ${found}, which a client planted`;
};

const givesTokens = /^POST \/(api\/auth\/(login|register|refresh|tokens)|reset|invite)/;

const keepsSecrets: Property = ({ request, answer: response, secrets }) => {
  const all = `${response.text}${JSON.stringify(response.headers)}`;
  if (all.includes(signingSecret)) return 'answers the signing secret';
  // Signing in may return new tokens of the caller, but no earlier ones.
  const isEchoed = typeof request.body === 'object' && all.includes(password);
  if (isEchoed) return 'answers a password';
  if (
    /passwordHash|\$2[aby]\$|"(pk|sk|gsi\w*)":/.test(response.text) &&
    response.headers['content-type']?.includes('json') &&
    !request.operation.path.includes('openapi')
  )
    return 'answers what only the table holds';
  if (givesTokens.test(request.operation.endpoint)) return undefined;
  return secrets.some((secret) => all.includes(secret)) ? 'answers a token' : undefined;
};

/** The properties of every request, by name. */
export const properties: Readonly<Record<string, Property>> = {
  'never fails': neverFails,
  'asks first who calls': asksFirstWhoCalls,
  'answers as documented': isDocumented,
  'refuses what does not fit': refusesWhatDoesNotFit,
  'names the field': namesTheField,
  'keeps owners': keepsOwners,
  'stays deleted': staysDeleted,
  'lists nothing deleted': listsNothingDeleted,
  'takes no foreign field': takesNoForeignField,
  'keeps secrets': keepsSecrets,
};
