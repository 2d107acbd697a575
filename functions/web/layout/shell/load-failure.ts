import { siteTexts as texts } from '../texts.ts';

/**
 * The text of an inline script that offers to load the page again if its style or script can't be loaded. It comes before
 * both, and the offer is a link, because nothing else may work then.
 */
export const loadFailureScript = `{let p;addEventListener("error",({target:t})=>{if(p||!/\\/assets\\/s/.test(t.src||t.href))return;p=document.createElement("p");p.role="alert";p.className="note warn";let a=document.createElement("a");a.href="";a.textContent="${texts.reload}";p.append("${texts.notLoaded} ",a);let s=()=>document.body.prepend(p);document.body?s():addEventListener("DOMContentLoaded",s)},true)}`;
