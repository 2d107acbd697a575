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

/** An SDK client, whatever its commands. */
interface Client {
  readonly middlewareStack: {
    add(middleware: (next: Value, context: Value) => (args: Value) => Value, options: object): void;
  };
}

/**
 * Lets a client run commands in this process, before they are serialized, signed or sent. Commands without an operation
 * take their usual way.
 */
export const runInProcess = ({ middlewareStack }: Client, operations: Operations): void =>
  middlewareStack.add(
    (next, { commandName = '', __smithy_context: { abortSignal } = {} }: Context) =>
      async (args) => {
        abortSignal?.throwIfAborted();
        const output = await operations[commandName]?.(args.input, abortSignal);
        if (!output) return next(args);
        return { output: { $metadata: { httpStatusCode: 200 }, ...output }, response: undefined };
      },
    { step: 'initialize', priority: 'high', name: 'inProcess', override: true },
  );
