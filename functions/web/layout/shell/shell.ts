import { type Html, html } from '../../../../shared/text/html.ts';
import type { ScriptName, StyleName } from '../asset.ts';
import { document } from '../document.ts';
import type { InlineStyleName } from '../inline-style.ts';
import { type PageSession, sessionData } from '../session.ts';
import { siteTexts } from '../texts.ts';
import type { Theme } from '../theme.ts';
import { bottomBar, overlays, type Path, sidebar, titleBar } from './parts.ts';

/** A page of the console: what is in the frame that all pages share. */
export interface ShellPage {
  /** The heading, and with the name of the service the title. */
  readonly title: string;
  /** Which entry is the current one. */
  readonly path: Path;
  /** In the place of the title in the bar, such as with a link to where the page belongs. */
  readonly heading?: Html;
  /** After the heading, such as a badge. */
  readonly besideTitle?: Html;
  /** The actions of the page in the bar, with the primary one last. */
  readonly actions?: Html;
  /** The content of `main`. */
  readonly main: Html;
  readonly styles?: readonly StyleName[];
  /** Further elements of the head. */
  readonly head?: Html | undefined;
  /** Its style, if that is within the page. */
  readonly inlineStyle?: InlineStyleName;
  readonly script?: ScriptName;
}

/** Who a page is rendered for. */
export interface Viewer {
  readonly session: PageSession;
  readonly theme: Theme | undefined;
  /** Whether the keyboard has a ⌘. */
  readonly onApple: boolean;
  /** Whether the page is for signed-in users only. */
  readonly requiresSession: boolean;
}

/** Before the session is known, the script of a page that requires one would find nothing to show. */
const chooseScripts = (script: ScriptName | undefined, { session, requiresSession }: Viewer) => {
  const scripts = ['shell.js' as const, ...(script === undefined ? [] : [script])];
  if (session.state !== 'unknown') return scripts;
  return requiresSession ? ['arrival.js' as const] : ['arrival.js' as const, ...scripts];
};

/** The id of the content. */
export const contentId = 'page';

/**
 * Renders a page of the console for this viewer. Its bar and sidebar are the same on all pages. The pages that the viewer
 * may not open aren't in it, so that nothing appears or moves later.
 */
export const shell = (page: ShellPage, viewer: Viewer): string => {
  const { session, theme, onApple, requiresSession } = viewer;
  const {
    title,
    path,
    heading,
    besideTitle,
    actions,
    main,
    styles = [],
    inlineStyle,
    script,
    head,
  } = page;
  return document({
    title: `${title} · ${siteTexts.brand}`,
    theme,
    styles: ['ui.css', ...styles],
    inlineStyle,
    scripts: chooseScripts(script, viewer),
    requiresSession,
    isCarriedOver: true,
    ...(head && { head }),
    contentId,
    body: html`<div class="app">
${sidebar(path, session, theme, onApple)}<div class="main">
${titleBar(html`${heading ?? title}${besideTitle}`, actions, session)}<main class="page" id="${contentId}" tabindex="-1">
${main}
</main>
</div></div>
${bottomBar(path, session, theme)}${overlays(session)}${sessionData(session)}`,
  });
};
