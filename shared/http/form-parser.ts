import { Busboy, type BusboyConfig } from '@fastify/busboy';

/** A parser of a form's bytes. @throws Error when the content type is not that of a form, or names no boundary */
export const createFormParser = (contentType: string, limits: BusboyConfig['limits']) =>
  new Busboy({ headers: { 'content-type': contentType }, limits });
