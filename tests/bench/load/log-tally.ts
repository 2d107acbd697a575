/** Counts what a service logs, by what is said: under load the same is said very often. */
export const newLogTally = () => {
  const counts = new Map<string, number>();
  let rest = '';
  const nameOf = (line: string): string => {
    try {
      const { message, failure } = JSON.parse(line) as {
        readonly message: string;
        readonly failure?: { readonly name: string };
      };
      return failure ? `${message} (${failure.name})` : message;
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
    /** Such as `12 × Rate limiter failed (AbortError)`, one a line. */
    lines: (): string[] => [...counts].map(([name, count]) => `${count} × ${name}`),
  };
};
