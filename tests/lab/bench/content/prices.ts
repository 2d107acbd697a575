/** List prices of us-east-1 on 2026-11-21 in US dollars, without storage, which is billed by the month. */
export const prices = {
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  /** https://aws.amazon.com/s3/pricing/ (S3 Standard); deleting is free. */
  putObject: 5e-6,
  getObject: 0.4e-6,
} as const;
