import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type JobQueue, jobQueues, maxDeliveries } from '../../shared/jobs/job-queue.ts';
import { functionConfigs } from '../functions/config/functions.ts';

/** How the function receives the jobs of a queue. */
interface Delivery {
  /** The maximum number of jobs in a batch. More than ten need a window. */
  readonly batchSize: number;
  /** How long messages are gathered. */
  readonly windowSeconds: number;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
const deliveries: Readonly<Record<JobQueue, Delivery>> = {
  // Emails leave at once. A batch is sent within the function's time even at one per second.
  mail: { batchSize: 10, windowSeconds: 0 },
  hooks: { batchSize: 10, windowSeconds: 0 },
  // Activity of one batch is aggregated, so larger batches cost less. Two consumers keep up with 2,000 views per second.
  activity: { batchSize: 300, windowSeconds: 20 },
  work: { batchSize: 100, windowSeconds: 1 },
};

/** What decides which queues there are. */
interface QueueOptions {
  readonly sendsMail: boolean;
  /** Whether webhooks have a queue of their own. Otherwise they ride on that of emails, and without email on that of work. */
  readonly ownHooks: boolean;
}

/** The queues of background jobs, and the dead-letter queue for jobs that failed five times. */
export class JobQueues extends Construct {
  readonly queues: Readonly<Record<JobQueue, Queue>>;
  /** The same, each once, by the first of the names that it has. */
  readonly distinct: ReadonlyMap<JobQueue, Queue>;
  readonly deadLetters: Queue;
  /** The queues that Lambda polls, all month: those of emails and of webhooks only where they are used. */
  readonly connected: readonly JobQueue[];

  constructor(scope: Construct, id: string, { sendsMail, ownHooks }: QueueOptions) {
    super(scope, id);
    const isConnected = { mail: sendsMail, hooks: ownHooks, activity: true, work: true };
    this.connected = jobQueues.filter((queue) => isConnected[queue]);
    const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...common,
      // The maximum. It must exceed that of the queues, because a message keeps its age.
      retentionPeriod: Duration.days(14),
    });
    const create = (queueId: string): Queue =>
      new Queue(this, queueId, {
        ...common,
        retentionPeriod: Duration.days(4),
        // Six times the function's timeout, so that a batch isn't delivered twice while it is retried.
        // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
        visibilityTimeout: Duration.seconds(6 * functionConfigs.jobs.timeoutSeconds),
        deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxDeliveries },
      });
    const [mail, activity, work] = [create('Mail'), create('Activity'), create('Work')];
    const shared = sendsMail ? mail : work;
    this.queues = { mail, activity, work, hooks: ownHooks ? create('Hooks') : shared };
    const names = Map.groupBy(jobQueues, (queue) => this.queues[queue]);
    this.distinct = new Map([...names].map(([queue, [name = 'work']]) => [name, queue]));
  }

  /** Allows the grantee to send jobs to these queues. */
  allowSending(grantee: IGrantable, queues: readonly JobQueue[]): void {
    if (queues.length === 0) return;
    Grant.addToPrincipal({
      grantee,
      actions: ['sqs:SendMessage'],
      resourceArns: [...new Set(queues.map((queue) => this.queues[queue].queueArn))],
    });
  }

  /** Allows the grantee to read how many jobs are queued, and how many failed. */
  allowReadingState(grantee: IGrantable): void {
    const queues = [...this.distinct.values(), this.deadLetters];
    Grant.addToPrincipal({
      grantee,
      actions: ['sqs:GetQueueAttributes'],
      resourceArns: queues.map(({ queueArn }) => queueArn),
    });
  }

  /** Invokes the function with the jobs, with as many batches of a queue at once, and every minute for the scheduled run. */
  connect(consumer: IFunction, concurrency: Readonly<Record<JobQueue, number>>): void {
    for (const queue of this.connected) {
      const { batchSize, windowSeconds } = deliveries[queue];
      consumer.addEventSource(
        new SqsEventSource(this.queues[queue], {
          batchSize,
          ...(windowSeconds > 0 && { maxBatchingWindow: Duration.seconds(windowSeconds) }),
          reportBatchItemFailures: true,
          maxConcurrency: concurrency[queue],
        }),
      );
    }
    // A missed run is not repeated, because the next one follows within a minute.
    consumer.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, 'EveryMinute', {
      description: 'Handbill: scheduled run',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(consumer)],
    });
  }
}
