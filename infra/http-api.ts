import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Route } from '../shared/route.ts';

/** The HTTP API of one host. Whatever isn't a route of its own doesn't reach a function. */
export class HostApi extends HttpApi {
  /** Sends these routes, and no other, to the function. */
  serve(name: string, routes: readonly Route[], handler: IFunction): void {
    const integration = new HttpLambdaIntegration(name, handler, {
      // One permission a function, not one a route: a stack holds 500 resources at most.
      scopePermissionToRoute: false,
    });
    for (const { method, path } of routes) {
      this.addRoutes({ path, methods: [HttpMethod[method]], integration });
    }
  }
}
