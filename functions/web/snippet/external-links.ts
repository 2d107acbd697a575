/**
 * A statement for the framed document that opens clicked links in a new tab without an opener, because the page's policy
 * lets no other site load in the frame. Clicks by scripts, links within the document, downloads and `javascript:` links
 * stay as they are. The link is modified only during the click.
 */
export const openLinksInNewTab =
  'addEventListener("click",e=>{const a=e.isTrusted&&e.composedPath().find(n=>/^a(rea)?$/.test(n.localName)&&n.href);if(!a||a.hasAttribute("download"))return;const l=document.createElement("a"),b=u=>u.split("#")[0];l.href=a.href.baseVal??a.href;if(l.protocol==="javascript:"||l.href.includes("#")&&b(l.href)===b(location.href))return;for(const[n,v]of[["target","_blank"],["rel","noopener noreferrer"]]){const w=a.getAttribute(n);a.setAttribute(n,v);setTimeout(()=>w===null?a.removeAttribute(n):a.setAttribute(n,w))}},!0)';
