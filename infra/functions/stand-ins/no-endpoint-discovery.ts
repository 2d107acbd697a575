/** Replaces the discovery of endpoints, which DynamoDB's client prepares and none of its commands uses. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  default: undefined,
};

/** Returns the configuration of a client unchanged. */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;
