/**
 * List prices of us-east-1 on 2026-11-21 in US dollars, without first-year discounts. Each source is the service's page
 * of
 * prices.
 */
export const prices = {
  /** https://aws.amazon.com/api-gateway/pricing/ (HTTP APIs, the first 300 million a month; 512 KB each) */
  apiRequest: 1e-6,
  /** https://aws.amazon.com/lambda/pricing/ (arm64) */
  invocation: 0.2e-6,
  gbSecond: 0.0000133334,
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  tableGbMonth: 0.25,
  backupGbMonth: 0.2,
  /** https://aws.amazon.com/s3/pricing/ (S3 Standard); deleting is free. */
  putObject: 5e-6,
  getObject: 0.4e-6,
  objectGbMonth: 0.023,
  /** https://aws.amazon.com/sqs/pricing/ (standard queues, 64 KB each) */
  queueRequest: 0.4e-6,
  /** https://aws.amazon.com/ses/pricing/ */
  mail: 0.1e-3,
  /** https://aws.amazon.com/cloudwatch/pricing/ (standard logs, those of Lambda and API Gateway too) */
  logGb: 0.5,
  logGbMonth: 0.03,
  alarmMetricMonth: 0.1,
  dashboardMonth: 3,
  metricMonth: 0.3,
  /** https://aws.amazon.com/secrets-manager/pricing/ */
  secretMonth: 0.4,
  secretRead: 5e-6,
  /** https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer (to the internet, the first 10 TB) */
  outGb: 0.09,
} as const;

/**
 * List prices of the CDN, of which a month's first 10 million requests, 2 million function calls and 1 TB are always free.
 * https://aws.amazon.com/cloudfront/pricing/ (United States, HTTPS, the first 10 TB)
 */
export const edgePrices = {
  request: 1e-6,
  functionCall: 0.1e-6,
  outGb: 0.085,
} as const;

/** The free monthly amounts of every account, from the same pages; the account's other uses count too. */
export const alwaysFree = {
  invocations: 1e6,
  gbSeconds: 400_000,
  queueRequests: 1e6,
  logGb: 5,
  alarmMetrics: 10,
  metrics: 10,
  /** Of up to 50 metrics each. */
  dashboards: 3,
  outGb: 100,
} as const;
