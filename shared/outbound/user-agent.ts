/** What requests of the service to hosts outside say that they are. */
export const userAgent = 'Handbill';

/**
 * Returns whether a service such as this one sent a request, and no reader: it says so itself, or it has the id of a delivery,
 * which proxies pass on.
 */
export const isSentByService = (
  agent: string | undefined,
  headers: Readonly<Record<string, string | undefined>>,
): boolean => agent === userAgent || headers['webhook-id'] !== undefined;
