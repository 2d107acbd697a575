import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { functionConfigs } from '../functions/function-config.ts';

/** The queue of background jobs, and the dead-letter queue for jobs that failed five times. */
export class JobsQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...common,
      // The maximum. It must exceed that of the queue, because a message keeps its age.
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...common,
      retentionPeriod: Duration.days(4),
      // Six times the function's timeout, so that a batch isn't delivered twice while it is retried.
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(6 * functionConfigs.jobs.timeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
  }

  /** Allows the grantee to send jobs to the queue. */
  allowSending(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['sqs:SendMessage'],
      resourceArns: [this.queue.queueArn],
    });
  }

  /** Allows the grantee to read how many jobs are queued, and how many failed. */
  allowReadingState(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['sqs:GetQueueAttributes'],
      resourceArns: [this.queue.queueArn, this.deadLetters.queueArn],
    });
  }

  /** Invokes the function with the jobs, and every minute for the scheduled run. */
  connect(consumer: IFunction): void {
    consumer.addEventSource(
      new SqsEventSource(this.queue, {
        // Two consumers keep up with 2,000 views per second.
        batchSize: 300,
        // Activity of one batch is aggregated, so larger batches cost less. Emails still leave within 30 seconds.
        // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
        maxBatchingWindow: Duration.seconds(20),
        reportBatchItemFailures: true,
        // The minimum, because a new account has only ten concurrent executions, which requests need.
        maxConcurrency: 2,
      }),
    );
    // A missed run is not repeated, because the next one follows within a minute.
    consumer.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, 'EveryMinute', {
      description: 'Handbill: scheduled run',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(consumer)],
    });
  }
}
