/** The hosts of a request. User content has its own host, so that it shares no origin with the service. */
export type Host = 'service' | 'snippets';
