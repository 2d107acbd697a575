/** The hosts that a request can be for: what users wrote has one of its own, so that it shares nothing with the service. */
export type Host = 'service' | 'snippets';
