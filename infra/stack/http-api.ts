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
import type { Host } from '../../shared/http/host.ts';
import type { RouteKey } from '../functions/route-keys.ts';
import { AccessLog } from './access-log.ts';
import { createCorsRules } from './cors.ts';
import type { StackSettings } from './stack-settings.ts';

const createIntegration = (name: string, handler: IFunction): HttpLambdaIntegration =>
  new HttpLambdaIntegration(name, handler, {
    // One permission for each function instead of each route.
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
      // With a custom domain the default endpoint is off, so that cookies and links stay on one origin.
      disableExecuteApiEndpoint: settings.customDomain !== undefined,
      ...(cors && { corsPreflight: cors }),
    });
    const { rate, burst } = settings.throttle;
    const { stage, logRetention } = settings;
    const accessLog = new AccessLog(this, 'AccessLog', { stage, host }, logRetention);
    // With a limit for a single route, one client could block sign-in for everyone.
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: this,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: rate, burstLimit: burst },
      accessLogSettings: accessLog,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Each route declares its access rule, and its function checks the current session and user. A caching authorizer can’t.',
    });
  }

  /** The stage at the root of the host. */
  get stage(): HttpStage {
    return this.#stage;
  }

  /** Sends the requests of these keys to the function. */
  serve(name: string, keys: readonly RouteKey[], handler: IFunction): void {
    const integration = createIntegration(name, handler);
    for (const { method, path } of keys) {
      this.addRoutes({ path, methods: [method as HttpMethod], integration });
    }
  }

  /** Sends all other requests to the function. */
  serveRest(handler: IFunction): void {
    new HttpRoute(this, 'Rest', {
      httpApi: this,
      routeKey: HttpRouteKey.DEFAULT,
      integration: createIntegration('rest', handler),
    });
  }
}
