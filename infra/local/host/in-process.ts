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

/** An SDK client, whatever its commands. */
export interface Client {
  readonly middlewareStack: {
    add(middleware: Value, options: object): void;
    remove(name: string): boolean;
  };
}

/** Returns the middleware by which a document command converts its input and output. */
const listConversions = ({ middlewareStack }: Value): Middleware[] => {
  const conversions: Middleware[] = [];
  middlewareStack?.applyToStack({
    add: () => undefined,
    addRelativeTo: (middleware: Middleware, { name }: { readonly name?: string }) => {
      if (name?.startsWith('Document')) conversions.push(middleware);
    },
  });
  return conversions;
};

/**
 * Lets a client run commands in this process, before they are serialized, signed or sent. Commands without an operation
 * take their usual way. A document client shares the middleware of its client. Returns a function that undoes it.
 */
export const runInProcess = ({ middlewareStack }: Client, operations: Operations): (() => void) => {
  const middleware: Middleware = (next, context) => (command) => {
    const { commandName = '', __smithy_context: { abortSignal } = {} } = context;
    const operation = operations[commandName];
    if (!operation) return next(command);
    const perform: Handler = async (args) => {
      abortSignal?.throwIfAborted();
      const output = await operation(args.input, abortSignal);
      if (!output) return next(args);
      return { output: { $metadata: { httpStatusCode: 200 }, ...output }, response: undefined };
    };
    // The SDK's own conversions refuse here what they refuse before a request.
    return listConversions(command).reduce(
      (handler, wrap) => wrap(handler, context),
      perform,
    )(command);
  };
  // Of the first step the last, after middleware that inspects or changes commands.
  const options = { step: 'initialize', priority: 'low', name: 'inProcess', override: true };
  middlewareStack.add(middleware, options);
  return () => void middlewareStack.remove('inProcess');
};
