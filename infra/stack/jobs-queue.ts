import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { functionConfigs } from '../functions/function-config.ts';

/** The one queue of work that a request doesn't wait for, and where a job ends up that failed five times. */
export class JobsQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...common,
      // The longest there is, and longer than the queue's: a message keeps the age it had there.
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...common,
      retentionPeriod: Duration.days(4),
      // Six times the consumer's time, so that a batch isn't seen twice while it is retried.
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(6 * functionConfigs.jobs.timeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
  }

  /** Lets the grantee put jobs into the queue. */
  allowSending(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['sqs:SendMessage'],
      resourceArns: [this.queue.queueArn],
    });
  }

  /** Has the function do the jobs, and look every minute after what falls due. */
  runBy(consumer: IFunction): void {
    consumer.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 100,
        // A batch that is counted together costs little more than one message of it; a mail leaves within half a minute.
        // Without traffic Lambda waits as long with any window at all.
        // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
        maxBatchingWindow: Duration.seconds(20),
        reportBatchItemFailures: true,
        // The least there is: a new account's ten concurrent executions are for requests.
        maxConcurrency: 2,
      }),
    );
    // A turn that can't be had is not made up for: the next one is a minute away.
    consumer.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new Rule(this, 'EveryMinute', {
      description: 'Handbill: what falls due',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(consumer)],
    });
  }
}
