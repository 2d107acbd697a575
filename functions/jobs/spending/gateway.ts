import {
  ApiGatewayV2Client,
  DeleteRouteSettingsCommand,
  GetRoutesCommand,
  GetStageCommand,
  NotFoundException,
  type RouteSettings,
  UpdateStageCommand,
} from '@aws-sdk/client-apigatewayv2';
import { createRequestHandler } from '../../../shared/runtime/request-handler.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { getTimeLeft } from '../../../shared/runtime/time-left.ts';

const StageName = '$default';

/** A second, all callers together: what anyone may call, and everything else, which a team needs to sign in and to administer. */
const slow: RouteSettings = { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 };
const rest: RouteSettings = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 50 };

/** Each deletion takes a tenth of a second; the next run goes on with what is left. */
const reserveMs = 10_000;

/** An API has far fewer routes; https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const maxPages = 10;

let client: ApiGatewayV2Client | undefined;
const gateway = (): ApiGatewayV2Client => {
  client ??= new ApiGatewayV2Client({
    maxAttempts: 5,
    requestHandler: createRequestHandler(5_000),
  });
  return client;
};

const readRouteSettings = async (ApiId: string): Promise<Record<string, RouteSettings>> =>
  (await gateway().send(new GetStageCommand({ ApiId, StageName }))).RouteSettings ?? {};

const listRouteKeys = async (ApiId: string): Promise<string[]> => {
  const keys: string[] = [];
  let NextToken: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const found = await gateway().send(
      new GetRoutesCommand({ ApiId, MaxResults: '500', ...(NextToken && { NextToken }) }),
    );
    keys.push(...(found.Items ?? []).flatMap(({ RouteKey }) => RouteKey ?? []));
    NextToken = found.NextToken;
    if (NextToken === undefined) return keys;
  }
  throw new Error('The API has too many routes');
};

const hasLimits = (settings: RouteSettings | undefined, wanted: RouteSettings): boolean =>
  settings?.ThrottlingRateLimit === wanted.ThrottlingRateLimit &&
  settings?.ThrottlingBurstLimit === wanted.ThrottlingBurstLimit;

const slowDown = async (ApiId: string, publicKeys: readonly string[]): Promise<void> => {
  const wanted = Object.fromEntries(
    (await listRouteKeys(ApiId)).map((key) => [key, publicKeys.includes(key) ? slow : rest]),
  );
  const current = await readRouteSettings(ApiId);
  if (Object.keys(wanted).every((key) => hasLimits(current[key], wanted[key] ?? rest))) return;
  await gateway().send(new UpdateStageCommand({ ApiId, StageName, RouteSettings: wanted }));
};

/** Returns whether all routes have the limits of the stage again. */
const restore = async (ApiId: string): Promise<boolean> => {
  for (const RouteKey of Object.keys(await readRouteSettings(ApiId))) {
    if (getTimeLeft() < reserveMs) return false;
    try {
      await gateway().send(new DeleteRouteSettingsCommand({ ApiId, StageName, RouteKey }));
    } catch (error) {
      // A deployment or another run has removed it.
      if (!(error instanceof NotFoundException)) throw error;
    }
  }
  return true;
};

const listApis = () => getSetting('GATEWAY_PUBLIC_ROUTES') ?? [];

/**
 * Slows the public routes of both APIs down, also those that a deployment has set back or added. Safe to repeat: it writes
 * only what differs.
 */
export const slowDownGateway = async (): Promise<void> => {
  for (const { api, keys } of listApis()) await slowDown(api, keys);
};

/** Takes the limits of single routes away. Returns whether it is done; otherwise repeat it. */
export const restoreGateway = async (): Promise<boolean> => {
  for (const { api } of listApis()) if (!(await restore(api))) return false;
  return true;
};
