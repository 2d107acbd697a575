/**
 * What a tool does, as assistants' clients show it before a call. All four are set, because what a client assumes of a missing
 * one is the worst.
 * https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations
 */
export interface ToolHints {
  /** It changes nothing. */
  readonly readOnlyHint: boolean;
  /** It can overwrite or end what exists. */
  readonly destructiveHint: boolean;
  /** The same call again changes nothing more. */
  readonly idempotentHint: boolean;
  /** It reaches beyond what the service holds. */
  readonly openWorldHint: boolean;
}

/** How a tool takes content that was uploaded. */
export interface ToolUpload {
  /** Fields of the body that it takes and doesn't show, because a model has nothing to send in them. */
  readonly inputs: readonly string[];
  /** Inputs that it doesn't need with `upload`. */
  readonly replaces: readonly string[];
}

/** A tool for assistants that calls the route (decisions.md#tools). The rest is the route's own: input, access, limits, errors. */
export interface RouteTool {
  /** Noun and verb, such as `share_create`. */
  readonly name: `${string}_${string}`;
  readonly title: string;
  /** When to use it, what it returns, and what to ask the person first. */
  readonly description: string;
  readonly hints: ToolHints;
  /**
   * The inputs that it has, of the path, the query and the body; by default all. A route with versions that changes something adds
   * `version`, one that can be repeated `requestId`, and a long text `offset`.
   */
  readonly inputs?: readonly string[];
  /** What inputs mean here, where the route's own words don't fit. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Inputs that it needs, though the route doesn't. */
  readonly required?: readonly string[];
  /** What it always sends, in the query or the body. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** What it sends unless the call has one of `unless`. */
  readonly defaults?: {
    readonly values: Readonly<Record<string, unknown>>;
    readonly unless: readonly string[];
  };
  /**
   * Inputs of the body that a call says nothing by with `null` or a blank text, which the route takes for its default: models send
   * those for what they don't mean.
   */
  readonly keeps?: readonly string[];
  /** What a program between a model and the service sends that has uploaded the content, such as `handbill mcp`. */
  readonly upload?: ToolUpload;
  /** The fields of the response that it returns, or of each item of a list; by default all. */
  readonly outputs?: readonly string[];
  /** The field of the response with a long text, which is returned in parts by `offset`. */
  readonly longText?: string;
  /** Whether the response has texts that people wrote, which are marked as content that instructs nobody. */
  readonly showsContent?: true;
}
