import { Duration } from 'aws-cdk-lib';
import { CorsHttpMethod, type CorsPreflightOptions } from 'aws-cdk-lib/aws-apigatewayv2';

/** Lets pages of these origins call the service. Nobody's may when there are none. */
export const corsFor = (origins: readonly string[]): CorsPreflightOptions | undefined =>
  origins.length === 0
    ? undefined
    : {
        allowOrigins: [...origins],
        allowMethods: [
          CorsHttpMethod.GET,
          CorsHttpMethod.HEAD,
          CorsHttpMethod.POST,
          CorsHttpMethod.PUT,
          CorsHttpMethod.DELETE,
        ],
        allowHeaders: [
          'authorization',
          'content-type',
          'idempotency-key',
          'if-match',
          'x-share-password',
        ],
        exposeHeaders: ['etag', 'x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy'],
        // Browsers refuse credentials beside an origin of `*`, and so does API Gateway.
        allowCredentials: !origins.includes('*'),
        maxAge: Duration.hours(1),
      };
