import type { Grant } from './rights.ts';

/** Why functions may do something that the run of the tests doesn't have them do. */
interface UnusedRight {
  readonly action: RegExp;
  readonly resource: RegExp;
  readonly reason: string;
}

/** Each has to fit a right that is given and was not used; else it is out of date. */
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
];

/** The reason for a right that was not used, if there is one. */
export const reasonFor = ({ action, resource }: Grant): UnusedRight | undefined =>
  unusedRights.find((one) => one.action.test(action) && one.resource.test(resource));

/** Why a function may use partitions of the table that the run of the tests doesn't have it use. */
export const unusedPartitions: readonly {
  readonly by: string;
  readonly pattern: string;
  readonly reason: string;
}[] = [
  ...['MESSAGE#*', 'EVENT#*', 'DELETIONS'].map((pattern) => ({
    by: 'users',
    pattern,
    reason: 'What a removed user leaves is deleted there; the jobs do it for users of the tests.',
  })),
];

/** Why a function is given a setting that the run of the tests doesn't have it read. */
export const unreadSettings: Readonly<Record<string, string>> = {
  NODE_ENV:
    'Tells packages that this is production; the service itself asks only where JWT_SECRET is set.',
};

/** What is asked of the environment and is no setting of a function. */
export const otherVariables: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /^(AWS_|_|LAMBDA_|TZ$)/, reason: 'Lambda sets these itself, or leaves them out.' },
  {
    name: /^(POWERTOOLS_\w+|LOG_LEVEL|ENVIRONMENT)$/,
    reason: 'Powertools asks, and has defaults that fit.',
  },
  {
    name: /^(HOME|USERPROFILE|HOMEPATH|HOMEDRIVE)$/,
    reason: 'The SDK looks for files of settings, of which Lambda has none.',
  },
  { name: /^(DEBUG|FORCE_COLOR)$/, reason: 'debug asks, which file-type brings.' },
  { name: /^WATCH_REPORT_DEPENDENCIES$/, reason: 'Node asks.' },
  { name: /^JWT_SECRET$/, reason: 'In place of JWT_SECRET_ID on one machine; never on AWS.' },
];

/** Why a bundle has what only development installs. */
export const foreignPackages: Readonly<Record<string, string>> = {};
