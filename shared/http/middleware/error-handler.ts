import { saysThrottled, serializeError, toAppError } from '../../runtime/error-mapping.ts';
import type { AppError } from '../../runtime/errors.ts';
import { getLogger, getMetrics } from '../../runtime/telemetry.ts';
import { prefersHtml, prefersText } from '../content/accept.ts';
import {
  commonHeaders,
  contentTypes,
  type Event,
  type Middleware,
  type RequestContext,
  type Result,
  requestId,
} from '../http.ts';
import type { FailurePage, Route } from '../route.ts';

const renderPage = (
  errorPage: FailurePage,
  error: AppError,
  event: Event,
  {
    actor,
    isLeaving,
    isUnverified,
    isUnenrolled,
  }: Pick<RequestContext, 'actor' | 'isLeaving' | 'isUnverified' | 'isUnenrolled'>,
): Result | undefined => {
  const { status, code, message } = error;
  const reply = errorPage({
    status,
    code,
    message,
    requestId: requestId(event),
    prefersHtml: prefersHtml(event.headers['accept']),
    method: event.requestContext.http.method,
    path: event.rawPath,
    query: event.rawQueryString,
    cookies: event.cookies ?? [],
    site: event.headers['sec-fetch-site'],
    actor,
    isLeaving,
    isUnverified,
    isUnenrolled,
  });
  return (
    reply && {
      statusCode: reply.status ?? status,
      headers: { 'content-type': contentTypes.html, ...reply.headers },
      body: reply.body,
    }
  );
};

const createEnvelope = (error: AppError, event: Event, route: Route | undefined): Result => {
  const { status, code, message, details, extra, bareBody } = error;
  const shown = { code, message, details, requestId: requestId(event) };
  return {
    statusCode: status,
    headers: { 'content-type': contentTypes.json },
    body: JSON.stringify(
      bareBody ?? route?.errorBody?.create(error) ?? { success: false, error: shown, ...extra },
    ),
  };
};

const createLine = ({ status, message }: AppError): Result => ({
  statusCode: status,
  headers: { 'content-type': contentTypes.text },
  body: `${message}\n`,
});

/** Converts every thrown error to a response. `unmatchedPage` renders errors of requests that match no route. */
export const errorHandler = (unmatchedPage?: FailurePage): Middleware => ({
  onError: (request) => {
    const { event, error, context } = request;
    const appError = toAppError(error);
    if (appError.status >= 500) {
      getLogger().error('Request failed', {
        requestId: requestId(event),
        route: event.routeKey,
        error: serializeError(error),
      });
      getMetrics().addMetric('ServerErrors', 'Count', 1);
      if (saysThrottled(error)) getMetrics().addMetric('TableThrottled', 'Count', 1);
    }
    const errorPage = context.route?.failurePage ?? unmatchedPage;
    const isText = context.route?.toText !== undefined && prefersText(event.headers['accept']);
    const result = isText
      ? createLine(appError)
      : ((errorPage && renderPage(errorPage, appError, event, context)) ??
        createEnvelope(appError, event, context.route));
    request.response = {
      ...result,
      headers: {
        ...commonHeaders(event),
        ...context.responseHeaders,
        ...(appError.code === 'SERVICE_UNAVAILABLE' && { 'retry-after': '1' }),
        ...appError.headers,
        ...result.headers,
      },
    };
  },
});
