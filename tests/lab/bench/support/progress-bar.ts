const width = 30;

/** Shows progress through `total` steps on stderr. Call the result after each step. */
export const progressBar = (label: string, total: number): (() => void) => {
  let done = 0;
  // A log file would contain every state of the bar.
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
