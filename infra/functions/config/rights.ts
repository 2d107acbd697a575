/** An allowed action on the table. Scan is left out, because no function reads the whole table. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/** An allowed action on an object, or on the list of those with a prefix. Reading includes the list. */
export type ObjectAction =
  | 'GetObject'
  | 'PutObject'
  | 'DeleteObject'
  | 'ListBucket'
  | 'AbortMultipartUpload';

/** Actions on the items of a group's records. */
export const readWrite = ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;

/** Actions on objects that are also replaced. */
export const readWriteDelete = ['GetObject', 'PutObject', 'DeleteObject'] as const;

/** What tells who a user is and what they may: what is in their partition, and the custom roles. */
export const callerPartitions = ['USER#*', 'ROLES'] as const;

/** Users, their lists and their unique keys. */
export const accountPartitions = [
  ...callerPartitions,
  'USERS',
  'USERS#*',
  'EMAIL#*',
  'USERNAME#*',
] as const;

/** Shares, their names and recipient links, and the list of those for all members. */
export const sharePartitions = ['SHARE#*', 'SLUG#*', 'LINK#*', 'SHARES#MEMBERS#*'] as const;

export const documentPartitions = ['DOCUMENT#*', 'DOCUMENTS#*'] as const;

export const filePartitions = ['FILE#*', 'FILES#*'] as const;

export const eventPartitions = ['CALENDAR#*', 'EVENT#*'] as const;

/** Deliveries of webhooks, and the list of those that want names of the audit. */
export const webhookPartitions = ['WEBHOOK#*', 'WEBHOOKS#AUDIT'] as const;

/** Records that are deleted or transferred with their user. */
export const userDataPartitions = [
  ...sharePartitions,
  'REQUEST#*',
  ...documentPartitions,
  ...filePartitions,
  'MESSAGE#*',
  ...eventPartitions,
  ...webhookPartitions,
] as const;

/** Written with each change through the API: its audit entry and its idempotency key. */
export const recordedWrites = ['AUDIT#*', 'IDEMPOTENCY#*'] as const;

/** Written for a file that the service prepares: what is due, and the deletion of an older one. */
export const exportPartitions = ['EXPORTS#DUE', 'DELETIONS#*'] as const;

/** Written for a later run: deletions of objects, and jobs. */
export const deferredWork = ['DELETIONS#*', 'OUTBOX#*'] as const;
