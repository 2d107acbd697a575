import { type InlineStyleName, inlineStyleSource } from './inline-style.ts';
import { transitionSources } from './page-transitions.ts';

/** What a page can load besides the styles and scripts of this service. */
export interface PagePolicyOptions {
  /** The origin of its frames. */
  readonly frames?: string;
  /** Allows images from any HTTPS host, for Markdown. */
  readonly anyImages?: boolean;
  /** The origin of images of shares. */
  readonly images?: string;
  /** An origin that its scripts can send to, besides this service. */
  readonly connects?: string;
  /** An origin of images, sound, videos and documents to show. */
  readonly media?: string;
  /** Allows images, sound and videos that its scripts make. */
  readonly blobs?: boolean;
  /** Origins of sites that can frame it. */
  readonly ancestors?: readonly string[];
  /** The style within it. */
  readonly inlineStyle?: InlineStyleName | undefined;
  /** Whether it takes part in transitions between pages. */
  readonly isCarriedOver?: boolean;
}

/** HTTPS covers the origin, but in a local run. */
const toImageSources = (origin = 'https:'): string =>
  origin.startsWith('https:') ? 'https:' : `https: ${origin}`;

/** Returns the content security policy of a page: same-origin styles, scripts and API, nothing inline but what carries over, and by default no framing. */
export const pagePolicy = ({
  frames,
  anyImages = false,
  images,
  connects,
  media,
  blobs = false,
  ancestors = ["'none'"],
  inlineStyle,
  isCarriedOver = false,
}: PagePolicyOptions = {}): string =>
  [
    "default-src 'none'",
    `script-src 'self'${isCarriedOver ? ` ${transitionSources.script}` : ''}`,
    `style-src 'self'${isCarriedOver ? ` ${transitionSources.style}` : ''}${inlineStyle === undefined ? '' : ` ${inlineStyleSource(inlineStyle)}`}`,
    "font-src 'self'",
    `connect-src 'self'${connects === undefined ? '' : ` ${connects}`}`,
    "worker-src 'self'",
    `img-src ${anyImages ? toImageSources(images) : "'self'"} data:${blobs ? ' blob:' : ''}${media === undefined ? '' : ` ${media}`}`,
    ...(blobs ? ['media-src blob:'] : []),
    ...(media === undefined ? [] : [`media-src 'self' ${media}`]),
    `frame-src ${media === undefined ? (frames ?? "'none'") : `'self' ${media}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ')}`,
  ].join('; ');
