import type { Route } from '../../../../shared/http/route.ts';
import type { RouteTool, ToolHints } from '../../../../shared/http/tool.ts';

/** The groups whose routes have tools. */
export const toolGroups = ['share', 'documents', 'markdown'] as const;

export type ToolGroup = (typeof toolGroups)[number];

/** The part of a request that an input is sent in. */
export type InputPlace = 'path' | 'query' | 'body';

/** What an input is to a tool, if not a part of the route's request. */
export type OwnInput = 'version' | 'requestId' | 'offset';

/** A JSON schema (2020-12) of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

/** A tool as clients list it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Of what a call returns, if the schema is short. */
  readonly outputSchema?: ObjectSchema;
  readonly annotations: ToolHints;
}

/** A tool with what a call takes, as it is built from its route. */
export interface BuiltTool
  extends Pick<
      Route,
      'method' | 'path' | 'access' | 'accessByRecord' | 'scope' | 'isForUnverified'
    >,
    Pick<RouteTool, 'defaults' | 'keeps' | 'upload' | 'outputs' | 'longText' | 'showsContent'> {
  readonly definition: ToolDefinition;
  readonly group: ToolGroup;
  readonly places: Readonly<Record<string, InputPlace | OwnInput>>;
  /** What it always sends, by place. */
  readonly fixed: Readonly<Partial<Record<InputPlace, Readonly<Record<string, unknown>>>>>;
}
