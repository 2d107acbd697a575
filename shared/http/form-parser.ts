import { Busboy, type BusboyConfig } from '@fastify/busboy';

/**
 * Creates a parser for the bytes of a form.
 * @throws Error when the content type is not a form or has no boundary
 */
export const createFormParser = (contentType: string, limits: BusboyConfig['limits']) =>
  new Busboy({ headers: { 'content-type': contentType }, limits });
