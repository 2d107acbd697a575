const width = 30;

/** Shows on stderr how far something of `total` steps is; call the result after each step. */
export const progressBar = (label: string, total: number): (() => void) => {
  let done = 0;
  // A log file gets no bar: it would keep every state of it.
  const draw = () => {
    if (!process.stderr.isTTY) return;
    const filled = Math.round((width * done) / total);
    const bar = '#'.repeat(filled).padEnd(width, '.');
    process.stderr.write(`\r${label} [${bar}] ${done}/${total}${done === total ? '\n' : ''}`);
  };
  draw();
  return () => {
    done++;
    draw();
  };
};
