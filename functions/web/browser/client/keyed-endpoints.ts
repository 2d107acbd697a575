import type { EndpointWithHeader } from './endpoints.ts';

/** The endpoints that take an `Idempotency-Key`: the compiler asks for all of them. */
export const keyedEndpoints: Readonly<Record<EndpointWithHeader<'idempotency-key'>, true>> = {
  'POST /api/calendar/events': true,
  'POST /api/documents': true,
  'POST /api/files/folders': true,
  'POST /api/files/presign': true,
  'POST /api/files/upload': true,
  'POST /api/messages': true,
  'POST /api/roles': true,
  'POST /api/sales': true,
  'POST /api/sales/{id}/refund': true,
  'POST /api/share': true,
  'POST /api/share/requests': true,
  'POST /api/share/uploads': true,
  'POST /api/share/{id}/links': true,
  'POST /api/users': true,
};
