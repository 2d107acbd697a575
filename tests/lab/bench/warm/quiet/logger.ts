/** Logs nothing. */
export class Logger {
  addContext(): void {}
  error(): void {}
}
