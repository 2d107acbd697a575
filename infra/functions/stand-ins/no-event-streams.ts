/** None of the calls in use has event streams: DynamoDB's, S3's, Secrets Manager's, SQS's, SES's. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are not in the bundle');
  }
}

/** What the S3 client hands on and never asks, because only `SelectObjectContent` answers in a stream of events. */
export const eventStreamSerdeProvider = () => undefined;

/** Leaves the configuration of a client as it is. */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
