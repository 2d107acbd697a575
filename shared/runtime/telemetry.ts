import { createRequire } from 'node:module';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Metrics } from '@aws-lambda-powertools/metrics';
import { getSetting } from './settings.ts';
import { getInvocation, type Invocation, isFirstInvocation } from './time-left.ts';

/** Loads Powertools, on first use: most processes log and count nothing, and it takes a tenth of their start. */
const powertools = (): typeof import('./powertools.ts') =>
  createRequire(import.meta.url)('./powertools.ts');

let logger: Logger | undefined;
let described: Invocation | undefined;
let metrics: Metrics | undefined;

/** Returns the logger, which names the current invocation. */
export const getLogger = (): Logger => {
  logger ??= powertools().createLogger();
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
  metrics ??= powertools().createMetrics(getSetting('STAGE'));
  return metrics;
};

/** Publishes what was counted. Most requests count nothing, and an empty record would take as long as a full one. */
export const publishMetrics = (): void => {
  if (metrics?.hasStoredMetrics()) metrics.publishStoredMetrics();
};
