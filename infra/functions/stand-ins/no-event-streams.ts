/** Replaces the SDK's event streams, which no request of the service uses. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are not in the bundle');
  }
}

/** Satisfies the S3 client, which would use it only for `SelectObjectContent`. */
export const eventStreamSerdeProvider = () => undefined;

/** Returns the configuration of a client unchanged. */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
