import { Duration } from 'aws-cdk-lib';
import { CorsHttpMethod, type CorsPreflightOptions } from 'aws-cdk-lib/aws-apigatewayv2';
import { corsRules } from './cors-rules.ts';

/** Creates the CORS configuration for these origins, or undefined without any. */
export const createCorsRules = (origins: readonly string[]): CorsPreflightOptions | undefined =>
  origins.length === 0
    ? undefined
    : {
        allowOrigins: [...origins],
        allowMethods: corsRules.methods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...corsRules.headers],
        exposeHeaders: [...corsRules.exposed],
        // Browsers and API Gateway reject credentials with the origin `*`.
        allowCredentials: !origins.includes('*'),
        maxAge: Duration.seconds(corsRules.maxAgeSeconds),
      };
