import { keyFamily } from '../db/key.ts';

export const webhookKeys = {
  /** Webhook. */
  hook: keyFamily('USER#{userId:int}', 'WEBHOOK#{id:id}'),
  /** Active webhooks that want some of the audit's names, with these names. */
  ofAudit: keyFamily('WEBHOOKS#AUDIT', '{userId:id}#{id:id}'),
  /** Up to when entries of the audit were told. */
  auditMark: keyFamily('WEBHOOKS#AUDIT', 'TOLD'),
  /** Delivery of an event, by the time of the event. */
  delivery: keyFamily('WEBHOOK#{hookId:int}', 'DELIVERY#{id:any}'),
  /** Its next try, by when it is due. */
  due: keyFamily('WEBHOOK#{hookId:int}', 'DUE#{at}#{id:any}'),
  /** That a job which delivers what is due is on its way. */
  job: keyFamily('WEBHOOK#{hookId:int}', 'JOB'),
} as const;
