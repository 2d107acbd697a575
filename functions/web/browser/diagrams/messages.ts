/** What a page sends to the frame of a diagram. */
export interface DiagramRequest {
  /** The number of the request; a newer one replaces it. */
  readonly number: number;
  readonly code: string;
  readonly isDark: boolean;
}

/**
 * What the frame reports: that it can draw, that it begins to draw a request, and the size of the drawing in CSS pixels or
 * that there is none. The page believes none of the values.
 */
export type DiagramReport =
  | { readonly state: 'ready' }
  | { readonly state: 'drawing' | 'failed'; readonly number: number }
  | {
      readonly state: 'drawn';
      readonly number: number;
      readonly width: number;
      readonly height: number;
    };

/** The longest code of a diagram, in bytes of UTF-8. */
export const maxDiagramBytes = 50 * 1024;
