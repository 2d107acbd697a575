import { Stack, Validations } from 'aws-cdk-lib';
import {
  EventBus,
  EventField,
  type EventPattern,
  Rule,
  RuleTargetInput,
} from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  ConfigurationSet,
  EmailSendingEvent,
  EventDestination,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { linkRefusedJob } from '../../functions/api/share/codes/jobs.ts';
import { emailRefused } from '../../functions/api/users/record/jobs.ts';
import type { EmailProblem } from '../../shared/auth/user.ts';
import type { JobType } from '../../shared/jobs/job-type.ts';
import type { JobQueues } from './job-queues.ts';

/**
 * What SES tells of an email that was refused: which events, and where they name the recipients. Other bounces are
 * temporary, and `not-spam` takes a complaint back.
 * https://docs.aws.amazon.com/ses/latest/dg/monitoring-eventbridge.html
 */
const refusals = {
  bounce: {
    type: 'Email Bounced',
    detail: { bounce: { bounceType: ['Permanent'] } },
    recipients: '$.detail.bounce.bouncedRecipients',
  },
  complaint: {
    type: 'Email Complaint Received',
    detail: {
      complaint: { complaintFeedbackType: [{ exists: false }, { 'anything-but': ['not-spam'] }] },
    },
    recipients: '$.detail.complaint.complainedRecipients',
  },
} as const satisfies Record<EmailProblem['reason'], object>;

/** The job that an event becomes. */
interface Sent {
  /** Which tags the email needs. */
  readonly tags?: object;
  readonly job: JobType;
  readonly data: object;
  readonly jobs: JobQueues;
}

/** The sender of a stage's emails: SES keeps a list of the addresses that refused one, and a job marks their users. */
export class MailSender extends Construct {
  readonly configurationSetName: string;
  readonly #address: string;

  constructor(scope: Construct, id: string, address: string, jobs: JobQueues) {
    super(scope, id);
    this.#address = address;
    const emails = new ConfigurationSet(this, 'Emails', {
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    this.configurationSetName = emails.configurationSetName;
    // SES knows no other bus.
    const bus = EventBus.fromEventBusName(this, 'Bus', 'default');
    emails.addEventDestination('Events', {
      destination: EventDestination.eventBus(bus),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    for (const [reason, refusal] of Object.entries(refusals)) {
      const data = {
        reason,
        at: EventField.time,
        recipients: EventField.fromPath(refusal.recipients),
      };
      this.#createRule(reason, refusal, { job: emailRefused, data, jobs });
      // A second job, because the link of an email is somebody else's concern than the account of its address.
      const links = EventField.fromPath('$.detail.mail.tags.link');
      this.#createRule(`${reason}-link`, refusal, {
        tags: { link: [{ exists: true }] },
        job: linkRefusedJob,
        data: { ...data, links },
        jobs,
      });
    }
  }

  /** Creates the rule that sends an event about an email of this stage, with these tags, as a job. */
  #createRule(
    id: string,
    { type, detail }: { readonly type: string; readonly detail: object },
    { tags, job, data, jobs }: Sent,
  ): void {
    const mail = { tags: { 'ses:configuration-set': [this.configurationSetName], ...tags } };
    const eventPattern: EventPattern = {
      source: ['aws.ses'],
      detailType: [type],
      detail: { ...detail, mail },
    };
    const message = { id: EventField.eventId, kind: job.name, data };
    new Rule(this, id, {
      description: `Handbill: ${type}`,
      eventPattern,
      targets: [
        new SqsQueue(jobs.queues.work, {
          message: RuleTargetInput.fromObject(message),
          deadLetterQueue: jobs.deadLetters,
        }),
      ],
    });
  }

  /**
   * Allows a function to send email. The resource includes all identities, because SES also checks those of recipients in the
   * sandbox, and a verified parent domain may stand for the address.
   * https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html
   */
  allow(sender: IFunction): void {
    const format = (resource: string, resourceName: string) =>
      Stack.of(this).formatArn({ service: 'ses', resource, resourceName });
    Grant.addToPrincipal({
      grantee: sender,
      actions: ['ses:SendEmail'],
      resourceArns: [
        format('identity', '*'),
        format('configuration-set', this.configurationSetName),
      ],
      conditions: { StringEquals: { 'ses:FromAddress': this.#address } },
    });
    Validations.of(sender.role as IRole).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
      reason: 'The condition allows a single sender address.',
    });
  }
}
