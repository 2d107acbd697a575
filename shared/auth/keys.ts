import { keyFamily } from '../db/key.ts';

export const userKeys = {
  /** User. */
  record: keyFamily('USER#{id:int}', 'USER'),
  /** Session. */
  session: keyFamily('USER#{userId:int}', 'SESSION#{id}'),
  /** API token, by its SHA-256. */
  apiToken: keyFamily('USER#{userId:int}', 'TOKEN#{hash}'),
  /** Second factors and recovery codes. */
  factors: keyFamily('USER#{userId:int}', 'FACTORS'),
  /** The user of an identity at a provider, by the hash of issuer and subject. */
  identity: keyFamily('IDENTITY#{hash}', 'IDENTITY'),
  /** Connected app, by the hash of its client id. */
  app: keyFamily('USER#{userId:int}', 'APP#{client}'),
  /** Authorization code of a connected app, by its SHA-256. */
  appCode: keyFamily('USER#{userId:int}', 'APPCODE#{hash}'),
  /** Users with a permission by their role or in addition to it. */
  byPermission: keyFamily('USERS#PERMISSION#{permission}', '{id:id}'),
} as const;
