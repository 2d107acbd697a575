/** The stack of a stage. Stages live side by side in one account, so each has a stack of its own. */
export const stackNameOf = (stage: string): string => `Handbill-${stage}`;

/** What the stack tells about itself. The commands find the stage's resources by it. */
export type OutputName =
  | 'ServiceUrl'
  | 'SnippetsUrl'
  | 'TableName'
  | 'FilesBucketName'
  | 'SigningSecretId'
  | 'Ephemeral';
