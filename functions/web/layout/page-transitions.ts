import { Html } from '../../../shared/text/html.ts';
import { hashSource } from './inline-style.ts';
import { loadFailureScript } from './shell/load-failure.ts';

/** The pages without the shell. They carry nothing over, and neither does what the API returns. */
const plainPages =
  /^.{8}[^/]*\/(s|api|login|register|forgot|verify|authorize|reset|invite|undo-email)\b/;

/** Whether a page at this address takes part in transitions: those of the console and their errors do. */
export const isCarriedOver = (url: string): boolean => !plainPages.test(url);

/** Inline, because Chromium reads it when it meets the body, and an unfinished file counts as none. */
const style = '@media not (prefers-reduced-motion){@view-transition{navigation:auto}}';

/**
 * Inline, because a page can be left before its files are loaded. An entry of the history hides its address from other
 * pages if its page sends no referrer; the event before tells it, but not where a redirect leads.
 */
const script = `{let u;self.navigation?.addEventListener("navigate",e=>{u=e.destination.url});onpageswap=e=>{${plainPages}.test(e.activation?.entry.url??u??location)&&e.viewTransition?.skipTransition()}}${loadFailureScript}`;

/**
 * The part of the head by which a page takes part in transitions between pages, and offers to load it again if it fails to. A page that takes none reports an error
 * that nothing there can catch, so the page before ends the transition.
 */
export const transitionHead = new Html(`<style>${style}</style>\n<script>${script}</script>\n`);

/** The sources of `transitionHead` in a content security policy. */
export const transitionSources = { script: hashSource(script), style: hashSource(style) };
