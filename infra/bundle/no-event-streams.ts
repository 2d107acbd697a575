/** Neither DynamoDB's nor Secrets Manager's calls in use have event streams. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are not in the bundle');
  }
}
