import type { Grant } from './rights.ts';

/** Reasons for permissions that the tests do not use. */
interface UnusedRight {
  readonly action: RegExp;
  readonly resource: RegExp;
  readonly reason: string;
}

/** Each must match a granted permission that was not used; otherwise it is outdated. */
export const unusedRights: readonly UnusedRight[] = [
  {
    action: /^logs:(CreateLogStream|PutLogEvents)$/,
    resource: /^arn:aws:logs:/,
    reason: "Lambda writes the function's log, in the name of its role.",
  },
  {
    action: /^sqs:(GetQueueAttributes|GetQueueUrl|ChangeMessageVisibility)$/,
    resource: /^arn:aws:sqs:/,
    reason:
      'Lambda polls the queue in the name of the role, and wants the first; the others come with it in the grant of the CDK.',
  },
  {
    action: /^dynamodb:UpdateItem$/,
    resource: /:table\/[^/]+$/,
    reason: 'A page extends a session whose cookie is an hour old; the ones of the tests are new.',
  },
  {
    action: /^apigateway:/,
    resource: /:apigateway:/,
    reason: 'Without a spending limit that is reached, no route is slowed down.',
  },
  {
    action: /^s3:ListBucket$/,
    resource: /^arn:aws:s3:::[^/]+$/,
    reason: 'S3 asks for it when an object is missing, to tell so.',
  },
  {
    action: /^s3:(Get|Put)Object$/,
    resource: /:s3:::[^/]+\/texts\/\*$/,
    reason: 'The jobs drop former files from lists, of which large ones are texts in the bucket.',
  },
  {
    action: /^s3:GetObject$/,
    resource: /:s3:::[^/]+\/files\/\*$/,
    reason: 'The function of messages signs the URLs of attachments, which browsers fetch.',
  },
  {
    action: /^dynamodb:DeleteItem$/,
    resource: /:table\/[^/]+$/,
    reason: 'Connected apps that have ended are deleted when a user allows another one.',
  },
  {
    action: /^s3:DeleteObject$/,
    resource: /:s3:::[^/]+\/shares\/\*$/,
    reason: 'A tool deletes the bytes of a change that another one has overtaken.',
  },
  {
    action: /^s3:(AbortMultipartUpload|DeleteObject)$/,
    resource: /:s3:::[^/]+\/exports\/\*$/,
    reason:
      'What fails, or was deleted while it was made, leaves no file; the exports of the tests are ready.',
  },
];

/** Returns the reason for an unused permission, if any. */
export const reasonFor = ({ action, resource }: Grant): UnusedRight | undefined =>
  unusedRights.find((one) => one.action.test(action) && one.resource.test(resource));

/** Reasons for table partitions that the tests do not use. */
export const unusedPartitions: readonly {
  readonly by: string;
  readonly pattern: string;
  readonly reason: string;
}[] = [
  ...['SLUG#*', 'LINK#*', 'SHARES#MEMBERS#*', 'MESSAGE#*', 'EVENT#*'].map((pattern) => ({
    by: 'users',
    pattern,
    reason: 'What a removed user leaves is deleted there; the jobs do it for users of the tests.',
  })),
  ...['audit', 'sales'].map((by) => ({
    by,
    pattern: 'DELETIONS#*',
    reason: 'The file of the oldest of 20 exports is deleted when another is asked for.',
  })),
  {
    by: 'apps',
    pattern: 'APPCLIENT#*',
    reason: 'The document of a client is kept there; the tests don’t reach the internet.',
  },
  {
    by: 'jobs',
    pattern: 'FAILED_JOBS',
    reason: 'A job is recorded there after its fifth failure; those of the tests succeed.',
  },
];

/** Reasons for settings that the tests do not read. */
export const unreadSettings: Readonly<Record<string, string>> = {
  API_HOST: 'Tells a function which addresses its host has, once it is asked for another one.',
  STAGE: 'A dimension of metrics; the fallbacks count only failures, which they don’t have.',
  GATEWAY_PUBLIC_ROUTES: 'Without a spending limit that is reached, no route is slowed down.',
  CORS_ORIGINS: 'The gateway of the tests refuses the pages of other origins itself.',
  PASSWORD_SIGN_IN:
    'Says how to prove who one is once a sign-in is 15 minutes old; those of the tests are new.',
  JWT_REFRESH_EXPIRES:
    'A page extends a session whose cookie is an hour old; the ones of the tests are new.',
};

/** Environment variables that are read, but are not settings. */
export const otherVariables: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /^(AWS_|_|LAMBDA_|TZ$)/, reason: 'Lambda sets these itself, or leaves them out.' },
  {
    name: /^(POWERTOOLS_\w+|LOG_LEVEL|ENVIRONMENT)$/,
    reason: 'Powertools asks, and has defaults that fit.',
  },
  { name: /^(DEBUG|FORCE_COLOR)$/, reason: 'debug asks, which file-type brings.' },
  {
    name: /^(WATCH_REPORT_DEPENDENCIES|JEST_WORKER_ID|UNDICI_NO_WASM_SIMD)$/,
    reason: 'Node asks, for `fetch` too.',
  },
  { name: /^EDGE_SECRET_HASHES$/, reason: 'Set only where a CDN stands before the service.' },
  { name: /^SPENDING_LIMIT$/, reason: 'Set only where there is one.' },
  { name: /^EVENT_BUS$/, reason: 'Set only where there is one.' },
  { name: /^FILES_URL$/, reason: 'Where a proxy before one machine has its files; never on AWS.' },
  {
    name: /^OIDC_\w+_CLIENT_SECRET$/,
    reason: 'In place of PROVIDER_SECRETS_ID on one machine; never on AWS.',
  },
  { name: /^JWT_SECRET$/, reason: 'In place of JWT_SECRET_ID on one machine; never on AWS.' },
];

/** Reasons for development packages in a bundle. */
export const foreignPackages: Readonly<Record<string, string>> = {};
