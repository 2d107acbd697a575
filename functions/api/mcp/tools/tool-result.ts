/** What a call of a tool returns to the model. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  /** The scope or permission that the token lacks, and its owner has. */
  readonly insufficientScope?: string;
}
