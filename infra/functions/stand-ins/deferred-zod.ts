/**
 * Replaces zod in bundles: a schema is built when it is first used, because a start needs few of them. Until then, its
 * calls are only noted. It is built by the functions of `zod/mini`, which parse as zod's methods do in half the code.
 * Descriptions are left out, because only the OpenAPI document shows them.
 */
import { en } from 'zod/locales';
import * as zod from 'zod/mini';

// biome-ignore lint/performance/noBarrelFile: It stands in for the whole package.
export * from 'zod/mini';

// The messages of schemas without one of their own, as zod has them.
zod.config(en());

type Build = () => unknown;
type Call = (...args: readonly unknown[]) => unknown;
type Shape = Readonly<Record<string, unknown>>;

const builds = new WeakMap<object, Build>();

/** Builds a deferred schema; leaves other values as they are. */
const built = (value: unknown): unknown => {
  const build = typeof value === 'object' && value !== null ? builds.get(value) : undefined;
  return build ? build() : value;
};

/** Builds the schemas in an argument of a call, also those in a list or a shape. */
const builtWithin = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(built);
  if (typeof value !== 'object' || value === null || builds.has(value)) return built(value);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, built(one)]));
};

type Schema = zod.ZodMiniType & zod.ZodMiniObject;
type Method = (schema: Schema, ...args: never[]) => unknown;

/** Creates a method that adds a check. */
const adds =
  <Args extends never[]>(check: (...args: Args) => zod.core.$ZodCheck<never>): Method =>
  (schema, ...args) =>
    schema.check(check(...(args as never as Args)) as never);

const hasNumber = ({ def }: Schema): boolean => (def.type as string) === 'number';

/** Methods that return another schema. All others use the schema, so it is built. */
const methods: Readonly<Record<PropertyKey, Method>> = {
  ...{ optional: zod.optional, nullable: zod.nullable, nullish: zod.nullish },
  ...{ default: zod._default, catch: zod.catch, pipe: zod.pipe },
  transform: (schema, change) => zod.pipe(schema, zod.transform(change)),
  check: (schema, ...checks) => schema.check(...checks),
  ...{ refine: adds(zod.refine), superRefine: adds(zod.superRefine) },
  min: (schema, ...args) => adds(hasNumber(schema) ? zod.minimum : zod.minLength)(schema, ...args),
  max: (schema, ...args) => adds(hasNumber(schema) ? zod.maximum : zod.maxLength)(schema, ...args),
  ...{ length: adds(zod.length), regex: adds(zod.regex), trim: adds(zod.trim) },
  ...{ toLowerCase: adds(zod.toLowerCase), overwrite: adds(zod.overwrite) },
  ...{ int: adds(zod.int), positive: adds(zod.positive), nonnegative: adds(zod.nonnegative) },
  ...{ extend: zod.extend, partial: zod.partial, pick: zod.pick, omit: zod.omit },
  strict: (schema) => zod.catchall(schema, zod.never()),
};

const descriptions = new Set<PropertyKey>(['meta', 'describe']);

/** Returns the result of a call. Calls without arguments, such as `string()`, share it, because schemas don't change. */
const shared = <Name>(
  plain: Map<Name, object>,
  name: Name,
  args: readonly unknown[],
  call: () => object,
): object => {
  const known = args.length === 0 ? plain.get(name) : undefined;
  const result = known ?? call();
  if (args.length === 0) plain.set(name, result);
  return result;
};

/** Notes how to build a schema. `shape` is that of an object, which others take fields from. */
const defer = (build: Build, shape?: Shape): object => {
  let value: object | undefined;
  const plain = new Map<PropertyKey, object>();
  const once = (): object => {
    value ??= build() as object;
    return value;
  };
  const schema: object = new Proxy(
    {},
    {
      get: (_, name) => {
        if (descriptions.has(name)) return () => schema;
        if (name === 'shape' && shape) return shape;
        const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
        if (!method) return Reflect.get(once(), name);
        return (...args: unknown[]) =>
          shared(plain, name, args, () =>
            defer(
              () => method(once() as Schema, ...(args.map(builtWithin) as never[])),
              name === 'extend' && shape ? { ...shape, ...(args[0] as Shape) } : undefined,
            ),
          );
      },
      has: (_, name) => Reflect.has(once(), name),
    },
  );
  builds.set(schema, once);
  return schema;
};

const factories = new Map<unknown, object>();

const deferred = <Factory>(factory: Factory): Factory =>
  ((...args: unknown[]) =>
    shared(factories, factory, args, () =>
      defer(() => (factory as Call)(...args.map(builtWithin))),
    )) as Factory;

const deferredObject = <Factory>(factory: Factory): Factory =>
  ((shape: Shape, ...rest: unknown[]) =>
    defer(() => (factory as Call)(builtWithin(shape), ...rest), shape)) as Factory;

export const object = deferredObject(zod.object);
export const strictObject = deferredObject(zod.strictObject);
export const looseObject = deferredObject(zod.looseObject);
export const array = deferred(zod.array);
export const record = deferred(zod.record);
export const string = deferred(zod.string);
export const number = deferred(zod.number);
export const int = deferred(zod.int);
export const boolean = deferred(zod.boolean);
export const literal = deferred(zod.literal);
export const union = deferred(zod.union);
export const preprocess = deferred((change: (value: unknown) => unknown, schema: Schema) =>
  zod.pipe(zod.transform(change), schema),
);
export const unknown = deferred(zod.unknown);
export const custom = deferred(zod.custom);
export const url = deferred(zod.url);
export const email = deferred(zod.email);
const enumeration = deferred(zod.enum);

export { enumeration as enum };

const nothing = deferred(zod.null);

export { nothing as null };
export const iso = { datetime: deferred(zod.iso.datetime), date: deferred(zod.iso.date) };
export const coerce = { number: deferred(zod.coerce.number) };
