import { Duration } from 'aws-cdk-lib';
import { CorsHttpMethod, type CorsPreflightOptions } from 'aws-cdk-lib/aws-apigatewayv2';
import { corsRules } from './cors-rules.ts';

/** Lets pages of these origins call the service. Nobody's may when there are none. */
export const createCorsRules = (origins: readonly string[]): CorsPreflightOptions | undefined =>
  origins.length === 0
    ? undefined
    : {
        allowOrigins: [...origins],
        allowMethods: corsRules.methods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...corsRules.headers],
        exposeHeaders: [...corsRules.exposed],
        // Browsers refuse credentials beside an origin of `*`, and so does API Gateway.
        allowCredentials: !origins.includes('*'),
        maxAge: Duration.seconds(corsRules.maxAgeSeconds),
      };
