/**
 * Replaces zod in bundles: a schema is built when it is first used, because a start needs few of them. Until then, its
 * calls are only noted. Descriptions are left out, because only the OpenAPI document shows them.
 */
import * as zod from 'zod/v4';

// biome-ignore lint/performance/noBarrelFile: It stands in for the whole package.
export * from 'zod/v4';

// Generating code for a schema takes milliseconds, and warm requests are as fast without it.
zod.config({ jitless: true });

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

/** Methods that return another schema. All others use the schema, so it is built. */
const noted = new Set<PropertyKey>([
  ...['optional', 'nullable', 'nullish', 'default', 'catch', 'transform', 'pipe', 'overwrite'],
  ...['refine', 'superRefine', 'check', 'min', 'max', 'length', 'regex', 'trim', 'toLowerCase'],
  ...['int', 'positive', 'nonnegative', 'extend', 'partial', 'pick', 'omit', 'strict'],
]);

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
        if (!noted.has(name)) return Reflect.get(once(), name);
        return (...args: unknown[]) =>
          shared(plain, name, args, () =>
            defer(
              () => (Reflect.get(once(), name) as Call).apply(once(), args.map(builtWithin)),
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
export const array = deferred(zod.array);
export const record = deferred(zod.record);
export const string = deferred(zod.string);
export const number = deferred(zod.number);
export const int = deferred(zod.int);
export const boolean = deferred(zod.boolean);
export const literal = deferred(zod.literal);
export const union = deferred(zod.union);
export const preprocess = deferred(zod.preprocess);
export const unknown = deferred(zod.unknown);
export const custom = deferred(zod.custom);
export const url = deferred(zod.url);
export const email = deferred(zod.email);
const enumeration = deferred(zod.enum);

export { enumeration as enum };
export const iso = { datetime: deferred(zod.iso.datetime), date: deferred(zod.iso.date) };
export const coerce = { number: deferred(zod.coerce.number) };
