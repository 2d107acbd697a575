import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { getSetting } from './settings.ts';

const service = 'handbill';
const nothing = () => {};

let logger: Logger | undefined;
let metrics: Metrics | undefined;

/** Returns the logger, created on first use because nothing happens at import. */
export const getLogger = (): Logger => {
  logger ??= new Logger({ serviceName: service });
  return logger;
};

/** Returns the metrics, which have the stage as a dimension. Most requests add none, so it does not warn about empty ones. */
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
