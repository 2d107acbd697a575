import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';

const serviceName = 'handbill';
const nothing = () => {};

/** Creates the logger. */
export const createLogger = (): Logger => new Logger({ serviceName });

/** Creates the metrics of a stage. */
export const createMetrics = (stage: string): Metrics => {
  const { debug, error } = console;
  return new Metrics({
    namespace: 'Handbill',
    serviceName,
    defaultDimensions: { stage },
    logger: { debug, error, info: nothing, warn: nothing },
  });
};
