/** None of the calls in use has event streams: DynamoDB's, Secrets Manager's, SQS's, SES's. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are not in the bundle');
  }
}
