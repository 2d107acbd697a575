import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { getSetting } from './settings.ts';
import { getInvocation, type Invocation, isFirstInvocation } from './time-left.ts';

const service = 'handbill';
const nothing = () => {};

let logger: Logger | undefined;
let described: Invocation | undefined;
let metrics: Metrics | undefined;

/** Returns the logger, which names the current invocation. Created on first use, because most requests log nothing. */
export const getLogger = (): Logger => {
  logger ??= new Logger({ serviceName: service });
  const invocation = getInvocation();
  if (invocation && invocation !== described) {
    logger.addContext(invocation);
    // Powertools would take the first one that logs for the first one.
    logger.appendKeys({ cold_start: isFirstInvocation(invocation) });
    described = invocation;
  }
  return logger;
};

/** Returns the metrics, which have the stage as a dimension. */
export const getMetrics = (): Metrics => {
  const { debug, error } = console;
  metrics ??= new Metrics({
    namespace: 'Handbill',
    serviceName: service,
    defaultDimensions: { stage: getSetting('STAGE') },
    logger: { debug, error, info: nothing, warn: nothing },
  });
  return metrics;
};

/** Publishes what was counted. Most requests count nothing, and an empty record would take as long as a full one. */
export const publishMetrics = (): void => {
  if (metrics?.hasStoredMetrics()) metrics.publishStoredMetrics();
};
