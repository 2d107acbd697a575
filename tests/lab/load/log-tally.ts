/** Counts log entries by message, because under load a service repeats them often. */
export const newLogTally = () => {
  const counts = new Map<string, number>();
  let rest = '';
  const nameOf = (line: string): string => {
    try {
      const { message, error } = JSON.parse(line) as {
        readonly message: string;
        readonly error?: { readonly name: string };
      };
      return error ? `${message} (${error.name})` : message;
    } catch {
      return line;
    }
  };
  return {
    add: (chunk: string): void => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const name of lines.filter((line) => line !== '').map(nameOf)) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    },
    /** Returns lines such as `12 × Rate limiter failed (AbortError)`. */
    lines: (): string[] => [...counts].map(([name, count]) => `${count} × ${name}`),
  };
};
