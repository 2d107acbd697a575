/** Settings of every test file: cheap password hashes, full logging, and unused addresses. */
Object.assign(process.env, {
  TABLE_NAME: 'handbill-test',
  JWT_SECRET: 'a secret of the tests, long enough to sign with',
  PASSWORD_COST: '4',
  RATE_LIMIT_FACTOR: '1000',
  PUBLIC_URL: 'https://handbill.test',
  SNIPPETS_URL: 'https://snippets.test',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'secret-key-of-the-tests',
  POWERTOOLS_LOG_LEVEL: 'DEBUG',
  // Without an engine, calls must fail immediately and never leave this machine.
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
  AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1',
  AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1',
  AWS_ENDPOINT_URL_SESV2: 'http://127.0.0.1:1',
  FILES_BUCKET: 'handbill-files',
  JOBS_QUEUE_URL: 'http://127.0.0.1:1/000000000000/jobs',
  MAIL_QUEUE_URL: 'http://127.0.0.1:1/000000000000/mail',
  HOOKS_QUEUE_URL: 'http://127.0.0.1:1/000000000000/hooks',
  ACTIVITY_QUEUE_URL: 'http://127.0.0.1:1/000000000000/activity',
  MAIL_RATE: '1000',
});
