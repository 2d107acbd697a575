import { Validations } from 'aws-cdk-lib';
import {
  HttpApi,
  type HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { listEndpoints } from '../../shared/http/fallback.ts';
import type { Host } from '../../shared/http/host.ts';
import type { Route } from '../../shared/http/route.ts';
import { AccessLog } from './access-log.ts';
import { createCorsRules } from './cors.ts';
import type { StackSettings } from './stack-settings.ts';

const integrationWith = (name: string, handler: IFunction): HttpLambdaIntegration =>
  new HttpLambdaIntegration(name, handler, {
    // One permission a function, not one a route: a stack holds 500 resources at most.
    scopePermissionToRoute: false,
  });

/** The HTTP API of one host, with its access log and its limits. */
export class HostApi extends HttpApi {
  readonly #stage: HttpStage;

  constructor(scope: Construct, id: string, host: Host, settings: StackSettings) {
    const name = `handbill-${settings.stage}-${host}`;
    const cors = host === 'service' ? createCorsRules(settings.corsOrigins) : undefined;
    super(scope, id, {
      apiName: name,
      createDefaultStage: false,
      // A name of one's own is then the only one: cookies and links stay on one origin.
      disableExecuteApiEndpoint: settings.ownDomain !== undefined,
      ...(cors && { corsPreflight: cors }),
    });
    const { rate, burst } = settings.throttle;
    // The same for every route: one of its own would let one client use up what all have for signing in.
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: this,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: rate, burstLimit: burst },
      accessLogSettings: new AccessLog(
        this,
        'AccessLog',
        `${settings.stage}/${host}`,
        settings.logRetention,
      ),
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Each route says in its definition who may call it, and its function checks that against the session and the user of this moment, which no authorizer with a cache can.',
    });
  }

  /** The stage that answers at the root of the host. */
  get stage(): HttpStage {
    return this.#stage;
  }

  /** Sends these routes, and HEAD wherever GET is one, to the function. */
  serve(name: string, routes: readonly Route[], handler: IFunction): void {
    const integration = integrationWith(name, handler);
    for (const { method, path } of listEndpoints(routes)) {
      this.addRoutes({ path, methods: [method as HttpMethod], integration });
    }
  }

  /** Sends whatever isn't a route to the function. */
  serveRest(handler: IFunction): void {
    new HttpRoute(this, 'Rest', {
      httpApi: this,
      routeKey: HttpRouteKey.DEFAULT,
      integration: integrationWith('rest', handler),
    });
  }
}
