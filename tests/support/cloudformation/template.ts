import { invalid } from './protocol.ts';

/** A resource of a template. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly Condition?: string;
  readonly DeletionPolicy?: string;
}

export interface TemplateParameter {
  readonly Type: string;
  readonly Default?: unknown;
  readonly NoEcho?: boolean;
  readonly AllowedValues?: readonly string[];
  readonly AllowedPattern?: string;
}

export interface Template {
  readonly Description?: string;
  readonly Metadata?: unknown;
  readonly Parameters?: Readonly<Record<string, TemplateParameter>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<
    Record<
      string,
      { readonly Value: unknown; readonly Condition?: string; readonly Description?: string }
    >
  >;
}

/** A template is at most 1 MB, and has at most 500 resources. */
const limits = { bytes: 1_000_000, resources: 500 } as const;

/**
 * Parses a template.
 * @throws AwsError for what CloudFormation refuses before it looks at resources
 */
export const parseTemplate = (body: string): Template => {
  if (Buffer.byteLength(body) > limits.bytes) throw invalid('Template size is over the limit');
  let template: Template;
  try {
    template = JSON.parse(body) as Template;
  } catch {
    throw invalid('Template format error: JSON not well-formed.');
  }
  const count = Object.keys(template.Resources ?? {}).length;
  if (count === 0) {
    throw invalid('Template format error: At least one Resources member must be defined.');
  }
  if (count > limits.resources) {
    throw invalid(
      `Template format error: Number of resources, ${count}, is greater than maximum allowed, ${limits.resources}`,
    );
  }
  return template;
};

/** What functions of templates refer to. */
export interface Scope {
  readonly template: Template;
  /** The values of parameters and pseudo parameters. */
  readonly values: Readonly<Record<string, string>>;
  /** The physical id of a resource. */
  ref(logicalId: string): string;
  attribute(logicalId: string, name: string): string;
}

type Functions = Readonly<Record<string, (argument: never, scope: Scope) => unknown>>;

const getReference = (name: string, scope: Scope): string => scope.values[name] ?? scope.ref(name);

const condition = (name: string, scope: Scope): boolean =>
  Boolean(resolve(scope.template.Conditions?.[name], scope));

const functions: Functions = {
  Ref: (name: string, scope) => getReference(name, scope),
  Condition: (name: string, scope) => condition(name, scope),
  'Fn::GetAtt': ([id, name]: [string, string], scope) => scope.attribute(id, name),
  'Fn::Join': ([separator, parts]: [string, unknown], scope) =>
    (resolve(parts, scope) as string[]).join(separator),
  'Fn::Select': ([at, list]: [number, unknown], scope) =>
    (resolve(list, scope) as unknown[])[Number(at)],
  'Fn::Split': ([separator, text]: [string, unknown], scope) =>
    String(resolve(text, scope)).split(separator),
  'Fn::If': ([name, yes, no]: [string, unknown, unknown], scope) =>
    resolve(condition(name, scope) ? yes : no, scope),
  'Fn::Equals': ([one, other]: [unknown, unknown], scope) =>
    String(resolve(one, scope)) === String(resolve(other, scope)),
  'Fn::Not': ([one]: [unknown], scope) => !resolve(one, scope),
  'Fn::And': (all: unknown[], scope) => all.every((one) => resolve(one, scope)),
  'Fn::Or': (all: unknown[], scope) => all.some((one) => resolve(one, scope)),
  'Fn::Sub': (given: string | [string, Record<string, unknown>], scope) => {
    const [text, own] = typeof given === 'string' ? [given, {}] : given;
    return text.replace(/\$\{([^!}][^}]*)\}/g, (_, name: string) => {
      if (name in own) return String(resolve((own as Record<string, unknown>)[name], scope));
      const [id = '', attribute] = name.split('.', 2);
      return attribute === undefined ? getReference(id, scope) : scope.attribute(id, attribute);
    });
  },
};

/** Returns a value of a template with its functions carried out. */
export const resolve = (value: unknown, scope: Scope): unknown => {
  if (Array.isArray(value)) return value.map((one) => resolve(one, scope));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [name = '', argument] = entries[0] ?? [];
  if (entries.length === 1 && /^(Fn::|Ref$|Condition$)/.test(name)) {
    const run = functions[name];
    // A policy's conditions have the name of a function.
    if (!run || (name === 'Condition' && typeof argument !== 'string')) {
      if (name === 'Condition') return { Condition: resolve(argument, scope) };
      throw invalid(`The stand-in of CloudFormation doesn’t know ${name}`);
    }
    return run(argument as never, scope);
  }
  return Object.fromEntries(
    entries
      .filter(([, one]) => (one as { Ref?: string } | null)?.Ref !== 'AWS::NoValue')
      .map(([key, one]) => [key, resolve(one, scope)]),
  );
};

/** Whether a resource or an output is wanted by its condition. */
export const isWanted = (one: { readonly Condition?: string }, scope: Scope): boolean =>
  one.Condition === undefined || condition(one.Condition, scope);

const references = (value: unknown, found: Set<string>): Set<string> => {
  if (Array.isArray(value)) for (const one of value) references(one, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      if (key === 'Ref') found.add(String(one));
      else if (key === 'Fn::GetAtt') found.add(String((one as unknown[])[0]));
      else if (key === 'Fn::Sub') {
        const [text] = [one].flat();
        for (const [, id = ''] of String(text).matchAll(/\$\{([\w:]+)[^}]*\}/g)) found.add(id);
      }
      references(one, found);
    }
  }
  return found;
};

/** Returns the resources in waves: each needs only what earlier ones have. */
export const toWaves = ({ Resources }: Template): string[][] => {
  const waiting = new Map(
    Object.entries(Resources).map(([id, resource]) => {
      const needs = references(resource.Properties, new Set([resource.DependsOn ?? []].flat()));
      return [id, [...needs].filter((one) => one in Resources)];
    }),
  );
  const waves: string[][] = [];
  while (waiting.size > 0) {
    const wave = [...waiting].filter(([, needs]) => !needs.some((id) => waiting.has(id)));
    if (wave.length === 0) throw invalid('Circular dependency between resources');
    for (const [id] of wave) waiting.delete(id);
    waves.push(wave.map(([id]) => id));
  }
  return waves;
};
