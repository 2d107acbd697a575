import * as z from 'zod';
import {
  type BuiltTool,
  type InputPlace,
  type ObjectSchema,
  type OwnInput,
  type ToolDefinition,
  type ToolGroup,
  toolGroups,
} from '../../functions/api/mcp/tools/built-tool.ts';
import { listGroups } from '../../functions/routes.ts';
import type { Route } from '../../shared/http/route.ts';
import type { RouteTool, ToolUpload } from '../../shared/http/tool.ts';
import { commonFields, particularFields } from './openapi/field-texts.ts';
import { changesRecord } from './openapi/headers.ts';
import { isNode, type Node } from './openapi/json.ts';
import { simplifySchema, withoutNull } from './tools/simplify-schema.ts';

interface Input {
  readonly place: InputPlace | OwnInput;
  readonly schema: Node;
  readonly isRequired: boolean;
}

type Inputs = ReadonlyMap<string, Input>;

/** The inputs that a tool has besides those of its route. */
const ownInputs: Readonly<Record<OwnInput, Node>> = {
  version: {
    type: 'integer',
    minimum: 1,
    description: 'The `version` that you read. The change is refused if it is another by now.',
  },
  requestId: {
    type: 'string',
    pattern: '^[!-~]{1,255}$',
    description: 'Any text. Send the same again to repeat a call that may have failed.',
  },
  offset: {
    type: 'integer',
    minimum: 0,
    description: 'The `nextOffset` of the previous part.',
  },
};

const toNode = (schema: z.ZodType, io: 'input' | 'output'): Node =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Node;

/** Returns the schema of an object with what the API document says of its fields. */
const readObject = (
  schema: z.ZodType,
  io: 'input' | 'output',
  keepsNull: boolean,
): {
  readonly properties: Readonly<Record<string, Node>>;
  readonly required: readonly string[];
} => {
  const { id = '' } = z.globalRegistry.get(schema) ?? {};
  const simple = simplifySchema(toNode(schema, io), keepsNull);
  const properties = isNode(simple['properties']) ? simple['properties'] : {};
  const described = Object.entries(properties).map(([name, property]) => {
    const text = particularFields[`${id}.${name}`] ?? commonFields[name];
    const node = property as Node;
    const isBare = node['description'] === undefined && text !== undefined;
    return [name, isBare ? { ...node, description: text } : node] as const;
  });
  return {
    properties: Object.fromEntries(described),
    required: Array.isArray(simple['required']) ? simple['required'].map(String) : [],
  };
};

/** Says of texts in an address what a model would send: an id as the number that responses have, and `true`. */
const asSent = (place: InputPlace, schema: Node): Node => {
  if (place === 'body') return schema;
  const { type, const: only, pattern, ...rest } = schema;
  if (only === 'true') return { ...rest, type: 'boolean', const: true };
  return pattern === String.raw`^[1-9]\d{0,15}$`
    ? { ...schema, type: ['integer', 'string'] }
    : schema;
};

/** Returns the inputs of a route by their names. The query of a route that completes its body says the same as that. */
const listRouteInputs = (route: Route): Inputs => {
  const { params, query, body, completeBody, method } = route;
  const parts: readonly (readonly [InputPlace, z.ZodType | undefined])[] = [
    ['path', params],
    ['query', completeBody ? undefined : query],
    ['body', body],
  ];
  const inputs = new Map<string, Input>();
  for (const [place, schema] of parts) {
    if (!schema) continue;
    const { properties, required } = readObject(schema, 'input', method === 'PUT');
    for (const [name, property] of Object.entries(properties)) {
      const known = inputs.get(name);
      // A field of the record that the path names already.
      if (known?.place === 'path' && place === 'body') continue;
      if (known) throw new Error(`${method} ${route.path} has ${name} twice`);
      inputs.set(name, {
        place,
        schema: asSent(place, property),
        isRequired: required.includes(name),
      });
    }
  }
  return inputs;
};

const listOwnInputs = (route: Route, tool: RouteTool): OwnInput[] => [
  ...(changesRecord(route) ? ['version' as const] : []),
  ...(route.idempotency ? ['requestId' as const] : []),
  ...(tool.longText === undefined ? [] : ['offset' as const]),
];

/** @throws Error if the tool has an input that its route doesn't have, or one of its own by the same name */
const listInputs = (route: Route, tool: RouteTool): Inputs => {
  const all = listRouteInputs(route);
  const { fixed = {}, inputs: chosen = [...all.keys()], required = [] } = tool;
  const inputs = new Map<string, Input>();
  for (const name of chosen) {
    const input = all.get(name);
    if (!input) throw new Error(`${tool.name} has no ${name} in its route`);
    if (!Object.hasOwn(fixed, name)) inputs.set(name, input);
  }
  for (const name of listOwnInputs(route, tool)) {
    if (inputs.has(name)) throw new Error(`${tool.name} has ${name} twice`);
    inputs.set(name, { place: name, schema: ownInputs[name], isRequired: false });
  }
  const named = [
    ...required,
    ...Object.keys(tool.meanings ?? {}),
    ...(tool.defaults?.unless ?? []),
    ...(tool.keeps ?? []),
  ];
  const unknown = named.find((name) => !inputs.has(name));
  if (unknown !== undefined) throw new Error(`${tool.name} has no input ${unknown}`);
  return inputs;
};

const toInputSchema = (inputs: Inputs, tool: RouteTool): ObjectSchema => {
  const { required = [], meanings = {}, defaults, keeps = [] } = tool;
  const properties = [...inputs].map(([name, { schema }]) => {
    const meaning = meanings[name];
    return [
      name,
      {
        ...(keeps.includes(name) ? withoutNull(schema) : schema),
        ...(meaning !== undefined && { description: meaning }),
        ...(defaults && name in defaults.values && { default: defaults.values[name] }),
      },
    ];
  });
  const needed = [...inputs].flatMap(([name, { isRequired }]) =>
    isRequired || required.includes(name) ? [name] : [],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
};

/** Returns the schema of what a call returns, unless it marks what people wrote. */
const toOutputSchema = (route: Route, tool: RouteTool): ObjectSchema | undefined => {
  if (tool.showsContent || tool.longText !== undefined) return undefined;
  const { data } = (route.output as z.ZodObject).shape as { readonly data?: z.ZodType };
  const { properties, required } = readObject(data ?? route.output, 'output', true);
  const { outputs = Object.keys(properties) } = tool;
  const shown = outputs.map((name) => {
    const property = properties[name];
    if (!property) throw new Error(`${tool.name} returns no ${name}`);
    return [name, property];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    required: required.filter((name) => outputs.includes(name)),
  };
};

const toFixed = (route: Route, { fixed = {} }: RouteTool): BuiltTool['fixed'] => {
  const all = listRouteInputs(route);
  const byPlace: Partial<Record<InputPlace, Record<string, unknown>>> = {};
  for (const [name, value] of Object.entries(fixed)) {
    const place = all.get(name)?.place as InputPlace | undefined;
    if (!place) throw new Error(`${route.path} has no ${name}`);
    byPlace[place] = { ...byPlace[place], [name]: value };
  }
  return byPlace;
};

/** @throws Error for a field that the body doesn't have */
const toUpload = (route: Route, upload: ToolUpload): ToolUpload => {
  const all = listRouteInputs(route);
  const unknown = upload.inputs.find((name) => all.get(name)?.place !== 'body');
  if (unknown !== undefined) throw new Error(`${route.path} has no ${unknown} in its body`);
  return upload;
};

const buildTool = (group: ToolGroup, route: Route, tool: RouteTool): BuiltTool => {
  const inputs = listInputs(route, tool);
  const outputSchema = toOutputSchema(route, tool);
  const { name, title, description, hints } = tool;
  const definition: ToolDefinition = {
    ...{ name, title, description },
    inputSchema: toInputSchema(inputs, tool),
    ...(outputSchema && { outputSchema }),
    annotations: hints,
  };
  const { method, path, access, accessByRecord, scope, isForUnverified } = route;
  return {
    ...{ definition, group, method, path },
    // A tool is for someone.
    access: access === 'optional' ? 'signed-in' : access,
    ...(accessByRecord && { accessByRecord }),
    ...(scope && { scope }),
    ...(isForUnverified && { isForUnverified }),
    places: Object.fromEntries([...inputs].map(([input, { place }]) => [input, place])),
    fixed: toFixed(route, tool),
    ...(tool.defaults && { defaults: tool.defaults }),
    ...(tool.keeps && { keeps: tool.keeps }),
    ...(tool.upload && { upload: toUpload(route, tool.upload) }),
    ...(tool.outputs && { outputs: tool.outputs }),
    ...(tool.longText !== undefined && { longText: tool.longText }),
    ...(tool.showsContent && { showsContent: tool.showsContent }),
  };
};

const isToolGroup = (name: string): name is ToolGroup =>
  (toolGroups as readonly string[]).includes(name);

/**
 * Returns the tools of all routes (decisions.md#tools).
 * @throws Error for a tool that doesn't fit its route, or a name that is there twice
 */
export const buildTools = (): readonly BuiltTool[] => {
  const tools = listGroups('service').flatMap(({ name, routes }) =>
    routes.flatMap((route) =>
      (route.tools ?? []).map((tool) => {
        if (!isToolGroup(name)) throw new Error(`Tools of ${name} can’t be called`);
        return buildTool(name, route, tool);
      }),
    ),
  );
  const names = new Set(tools.map(({ definition }) => definition.name));
  if (names.size < tools.length) throw new Error('Two tools have the same name');
  return tools;
};

/** Returns the tools as JSON, for the function that calls them. */
export const formatTools = (): string => `${JSON.stringify(buildTools())}\n`;
