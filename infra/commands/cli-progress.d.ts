/** The part of cli-progress that is used here: it has no types of its own. */
declare module 'cli-progress' {
  export class SingleBar {
    constructor(options: {
      readonly format: string;
      readonly stream: NodeJS.WritableStream;
      readonly hideCursor?: boolean;
      readonly clearOnComplete?: boolean;
    });
    start(total: number, value: number, payload?: Readonly<Record<string, unknown>>): void;
    update(value: number, payload?: Readonly<Record<string, unknown>>): void;
    stop(): void;
  }
}
