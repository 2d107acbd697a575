import {
  ApiGatewayV2Client,
  DeleteRouteSettingsCommand,
  GetRoutesCommand,
  GetStageCommand,
  NotFoundException,
  type RouteSettings,
  UpdateStageCommand,
} from '@aws-sdk/client-apigatewayv2';
import { mockClient } from 'aws-sdk-client-mock';

/** What a gateway's control plane knows of its stages, by the id of the API. */
export const useGatewayControl = (routes: Readonly<Record<string, readonly string[]>>) => {
  const stages = new Map<string, Map<string, RouteSettings>>(
    Object.keys(routes).map((id) => [id, new Map()]),
  );
  const stageOf = (id = '') => stages.get(id) ?? new Map<string, RouteSettings>();
  const client = mockClient(ApiGatewayV2Client);
  client.on(GetRoutesCommand).callsFake(({ ApiId, NextToken }) => {
    // Two to a page, as a long list would be.
    const keys = routes[ApiId] ?? [];
    const from = Number(NextToken ?? 0);
    return {
      Items: keys.slice(from, from + 2).map((RouteKey) => ({ RouteKey })),
      ...(from + 2 < keys.length && { NextToken: String(from + 2) }),
    };
  });
  client
    .on(GetStageCommand)
    .callsFake(({ ApiId }) => ({ RouteSettings: Object.fromEntries(stageOf(ApiId)) }));
  client.on(UpdateStageCommand).callsFake(({ ApiId, RouteSettings }) => {
    for (const [key, settings] of Object.entries(RouteSettings as Record<string, RouteSettings>)) {
      if (!routes[ApiId]?.includes(key)) throw new Error(`Unable to find the route ${key}`);
      stageOf(ApiId).set(key, settings);
    }
    return {};
  });
  client.on(DeleteRouteSettingsCommand).callsFake(({ ApiId, RouteKey }) => {
    if (!stageOf(ApiId).delete(RouteKey)) {
      throw new NotFoundException({ message: 'No such settings', $metadata: {} });
    }
    return {};
  });
  return {
    client,
    /** Returns the requests a second that the routes of an API get; none: as many as the stage. */
    rates: (id: string) =>
      Object.fromEntries(
        [...stageOf(id)].map(([key, { ThrottlingRateLimit }]) => [key, ThrottlingRateLimit]),
      ),
    /** What a deployment may do to the settings of a stage. */
    reset: (id: string) => stageOf(id).clear(),
  };
};
