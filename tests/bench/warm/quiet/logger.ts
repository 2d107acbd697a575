/** Logs nothing. */
export class Logger {
  addContext(): void {}
  appendKeys(): void {}
  error(): void {}
  warn(): void {}
}
