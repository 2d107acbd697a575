import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';

const nothing = () => {};
const { debug, error } = console;

export const logger = new Logger({ serviceName: 'warm' });

export const metrics = new Metrics({
  namespace: 'Warm',
  serviceName: 'warm',
  logger: { debug, error, info: nothing, warn: nothing },
});
