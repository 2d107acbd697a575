import { Busboy, type BusboyConfig } from '@fastify/busboy';

/**
 * Creates a parser for the bytes of a form. Names of files keep their folders if it `hasPaths`.
 * @throws Error when the content type is not a form or has no boundary
 */
export const createFormParser = (
  contentType: string,
  limits: BusboyConfig['limits'],
  hasPaths: boolean,
) => new Busboy({ headers: { 'content-type': contentType }, limits, preservePath: hasPaths });
