/**
 * A statement for a frame's document: a link that somebody follows opens in a tab of its own, which knows nothing of the
 * frame. In the frame it could not open, for the page around lets nothing else be framed. What the snippet's own scripts
 * click stays as it is, and so do links within the document, downloads, and those to scripts. The document is changed
 * only while the link is followed.
 */
export const outwardLinks =
  'addEventListener("click",e=>{const a=e.isTrusted&&e.composedPath().find(n=>/^a(rea)?$/.test(n.localName)&&n.href);if(!a||a.hasAttribute("download"))return;const l=document.createElement("a"),b=u=>u.split("#")[0];l.href=a.href.baseVal??a.href;if(l.protocol==="javascript:"||l.href.includes("#")&&b(l.href)===b(location.href))return;for(const[n,v]of[["target","_blank"],["rel","noopener noreferrer"]]){const w=a.getAttribute(n);a.setAttribute(n,v);setTimeout(()=>w===null?a.removeAttribute(n):a.setAttribute(n,w))}},!0)';
