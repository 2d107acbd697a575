// HTML that is sealed stands alone: what it refers to relatively would be asked of the host of its frame, by names that are secret.

/** What comes before the content of a head. Something else before the doctype would cause quirks mode. */
const beforeHead =
  /^\ufeff?(?:\s|<!--[\s\S]*?-->)*(?:<!doctype[^>]*>)?(?:\s|<!--[\s\S]*?-->)*(?:<html(?=[\s/>])(?:"[^"]*"|'[^']*'|[^'">])*>)?(?:\s|<!--[\s\S]*?-->)*(?:<head(?=[\s/>])(?:"[^"]*"|'[^']*'|[^'">])*>)?/i;

/**
 * Follows links within the document, which lead to the base else, and stops those that lead nowhere. After the listeners of the
 * document, which may do so themselves.
 */
const followLinks = `addEventListener('click',(e)=>{
const a=e.composedPath().find((n)=>/^a(rea)?$/.test(n.localName)),h=(a&&a.getAttribute('href')||'').trim();
if(!h||/^[a-z][a-z0-9+.-]*:/i.test(h))return;
addEventListener('click',(l)=>{if(l.defaultPrevented)return;l.preventDefault();if(h[0]==='#')location.hash=h},{once:true})
},true);document.currentScript.remove()`;

/**
 * Returns a document whose relative references lead nowhere, because its base resolves none. The first base counts, so one of its own
 * doesn’t. Absolute references stay: their author names who is asked.
 */
export const standAlone = (html: string): string => {
  const [start = ''] = beforeHead.exec(html) ?? [];
  const base = `<base href="about:invalid"><script>${followLinks}</script>`;
  return start + base + html.slice(start.length);
};
