import { countBytes } from '../../../../shared/text/count-bytes.ts';

/**
 * The most bytes of an event for Lambda (6 MB), without those of its headers. A body is a text in it.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxEventBytes = 6 * 1024 * 1024 - 128 * 1024;

/** Returns whether the gateway takes a body of JSON. What it doesn’t take is answered by its own 413. */
export const fitsRequest = (body: object): boolean =>
  countBytes(JSON.stringify(JSON.stringify(body))) <= maxEventBytes;
