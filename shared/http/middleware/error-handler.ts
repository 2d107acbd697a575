import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { serializeError, toAppError } from '../../runtime/error-mapping.ts';
import type { AppError } from '../../runtime/errors.ts';
import { getLogger, getMetrics } from '../../runtime/telemetry.ts';
import { prefersHtml } from '../accept.ts';
import {
  commonHeaders,
  contentTypes,
  type Event,
  type Middleware,
  type Result,
  requestId,
} from '../http.ts';
import type { FailurePage } from '../route.ts';

const page = (show: FailurePage, failure: AppError, event: Event): Result | undefined => {
  const { status, code, message } = failure;
  const reply = show({
    status,
    code,
    message,
    requestId: requestId(event),
    prefersHtml: prefersHtml(event.headers['accept']),
    path: event.rawPath,
  });
  return (
    reply && {
      statusCode: reply.status ?? status,
      headers: { 'content-type': contentTypes.html, ...reply.headers },
      body: reply.body,
    }
  );
};

const envelope = (failure: AppError, event: Event): Result => {
  const { status, code, message, details, extra, bareBody } = failure;
  const error = { code, message, details, requestId: requestId(event) };
  return {
    statusCode: status,
    headers: { 'content-type': contentTypes.json },
    body: JSON.stringify(bareBody ?? { success: false, error, ...extra }),
  };
};

/** The only place where a throw becomes a response. `ofNoRoute` is the page of what no route matches. */
export const errorHandler = (ofNoRoute?: FailurePage): Middleware => ({
  onError: (request) => {
    const { event, error, context } = request;
    const failure = toAppError(error);
    if (failure.status >= 500) {
      getLogger().error('Request failed', {
        requestId: requestId(event),
        route: event.routeKey,
        failure: serializeError(error),
      });
      getMetrics().addMetric('ServerErrors', MetricUnit.Count, 1);
    }
    const show = context.route?.failurePage ?? ofNoRoute;
    const result = (show && page(show, failure, event)) ?? envelope(failure, event);
    request.response = {
      ...result,
      headers: {
        ...commonHeaders(event),
        ...context.responseHeaders,
        ...(failure.code === 'SERVICE_UNAVAILABLE' && { 'retry-after': '1' }),
        ...failure.headers,
        ...result.headers,
      },
    };
  },
});
