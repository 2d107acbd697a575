// biome-ignore lint/suspicious/noExplicitAny: inputs and outputs differ by client and command
type Value = any;

/** Runs a command with the command's input, or returns undefined to leave it to the client's endpoint. */
export type Operation = (
  input: Value,
  abortSignal: AbortSignal | undefined,
) => Promise<object> | undefined;

/** The operations of a local engine by the names of the SDK's commands, such as `GetItemCommand`. */
export type Operations = Readonly<Record<string, Operation>>;

interface Context {
  readonly commandName?: string;
  readonly __smithy_context?: { readonly abortSignal?: AbortSignal };
}

type Handler = (args: Value) => Promise<{ output: object; response: unknown }>;
type Middleware = (next: Handler, context: Context) => Handler;
type Priority = 'high' | 'normal' | 'low';

/** The part of the SDK's middleware stacks that a client uses for a command. */
interface Stack {
  applyToStack(to: object): void;
  concat(from: Stack): Stack;
  resolve(handler: Handler, context: Context): Handler;
}

/** An SDK client, whatever its commands. */
export interface Client {
  readonly middlewareStack: Value;
}

/**
 * Returns the middleware that a command passes before it is serialized, outermost first: that of the first step, and the
 * conversions of a document command.
 */
const listMiddleware = (stacks: readonly Stack[]): Middleware[] => {
  const found: Record<Priority, Middleware[]> = { high: [], normal: [], low: [] };
  const conversions: Middleware[] = [];
  const collector = {
    add: (
      one: Middleware,
      { step = 'initialize', priority = 'normal' }: { step?: string; priority?: Priority },
    ) => {
      if (step === 'initialize') found[priority].push(one);
    },
    addRelativeTo: (one: Middleware, { name }: { readonly name?: string }) => {
      if (name?.startsWith('Document')) conversions.push(one);
    },
  };
  for (const stack of stacks) stack.applyToStack(collector);
  return [...found.high, ...found.normal, ...found.low, ...conversions];
};

/** The clients' own `concat`, which a later engine of the same client replaces too. */
const originals = new WeakMap<object, Stack['concat']>();

/**
 * Lets a client run commands in this process, before they are serialized, signed or sent. Commands without an operation
 * take their usual way. A document client shares the middleware of its client. Returns a function that undoes it.
 */
export const runInProcess = ({ middlewareStack }: Client, operations: Operations): (() => void) => {
  const perform =
    (operation: Operation, { __smithy_context: smithy }: Context, next: () => Handler): Handler =>
    async (args) => {
      const { abortSignal } = smithy ?? {};
      abortSignal?.throwIfAborted();
      const output = await operation(args.input, abortSignal);
      if (!output) return next()(args);
      return { output: { $metadata: { httpStatusCode: 200 }, ...output }, response: undefined };
    };

  // The SDK combines and sorts all middleware for each command, which takes as long as the operation. Of a command that
  // runs here only the middleware of the first step is left.
  const concat = originals.get(middlewareStack) ?? middlewareStack.concat;
  originals.set(middlewareStack, concat);
  const shorten = (full: () => Stack, command: Stack): Stack => ({
    applyToStack: (to) => full().applyToStack(to),
    concat: (from) => shorten(() => full().concat(from), from),
    resolve: (handler, context) => {
      const resolveFully = () => full().resolve(handler, context);
      const operation = operations[context.commandName ?? ''];
      if (!operation) return resolveFully();
      // The SDK's own conversions refuse here what they refuse before a request.
      return listMiddleware([middlewareStack, command]).reduceRight(
        (inner, wrap) => wrap(inner, context),
        perform(operation, context, resolveFully),
      );
    },
  });
  middlewareStack.concat = (command: Stack) => shorten(() => concat(command), command);
  return () => {
    middlewareStack.concat = concat;
  };
};
