// HTML that is sealed stands alone: what it refers to relatively would be asked of the host of its frame, by names that are secret.

/** What relative references resolve to: a host that can’t exist (RFC 6761). By https, so that references without a scheme work. */
const base = 'https://relative.invalid/';

/**
 * Follows links within the document, which lead to the base else, and stops those that lead nowhere. After the listeners of the
 * document, which may do so themselves.
 */
const followLinks = `addEventListener('click',(e)=>{
const a=e.composedPath().find((n)=>/^a(rea)?$/.test(n.localName)),h=(a&&a.getAttribute('href')||'').trim();
if(!h||/^([a-z][a-z0-9+.-]*:|[/\\\\]{2})/i.test(h))return;
addEventListener('click',(l)=>{if(l.defaultPrevented)return;l.preventDefault();if(h[0]==='#')location.hash=h},{once:true})
},true);document.currentScript.remove()`;

/** Whether browsers show a document in quirks mode, which its doctype decides. */
const isQuirky = (html: string): boolean =>
  new DOMParser().parseFromString(html, 'text/html').compatMode === 'BackCompat';

/**
 * Returns a document whose relative references lead nowhere, because of its base. The first base counts, so one of its own
 * doesn’t. It stands before all else, for only a parser knows where a head begins. Absolute references stay: their author names who
 * is asked.
 */
export const standAlone = (html: string): string => {
  const doctype = isQuirky(html) ? '' : '<!DOCTYPE html>';
  return `${doctype}<base href="${base}"><script>${followLinks}</script>${html}`;
};
