/** A response with a status or headers other than the route's defaults. */
export class Reply<Body> {
  readonly body: Body;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie` headers. */
  readonly cookies: readonly string[];
  /** Whether HEAD tells no length, because what it is the length of takes more than a HEAD. */
  readonly hidesLength: boolean;

  constructor(
    body: Body,
    options: {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cookies?: readonly string[];
      readonly hidesLength?: boolean;
    } = {},
  ) {
    this.body = body;
    this.status = options.status;
    this.headers = options.headers ?? {};
    this.cookies = options.cookies ?? [];
    this.hidesLength = options.hidesLength ?? false;
  }
}
