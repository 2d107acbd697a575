/** What a page can load besides the styles and scripts of this service. */
export interface PagePolicyOptions {
  /** The origin of its frames. */
  readonly frames?: string;
  /** Allows images from any HTTPS host, for Markdown. */
  readonly anyImages?: boolean;
  /** An origin that its scripts can send to, besides this service. */
  readonly connects?: string;
}

/** Returns the content security policy of a page: same-origin styles, scripts and API, nothing inline, no framing. */
export const pagePolicy = ({
  frames,
  anyImages = false,
  connects,
}: PagePolicyOptions = {}): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${connects === undefined ? '' : ` ${connects}`}`,
    "worker-src 'self'",
    `img-src ${anyImages ? 'https:' : "'self'"} data:`,
    `frame-src ${frames ?? "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
