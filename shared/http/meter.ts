import type { Context } from 'aws-lambda';
import { meterRequest } from '../spending/meter.ts';
import type { Event, Result } from './http.ts';

const countBytes = ({ body = '', isBase64Encoded }: Result): number =>
  Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');

/** Meters the price of each request of a handler by its endpoint, and by the bytes of its response. */
export const meter =
  (
    handler: (event: Event, context: Context) => Promise<Result>,
    getEndpoint: (event: Event) => string,
  ): typeof handler =>
  async (event, context) => {
    const result = await handler(event, context);
    await meterRequest(getEndpoint(event), () => countBytes(result));
    return result;
  };
