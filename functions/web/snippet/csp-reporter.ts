const maxReported = 30;
/** In UTF-16 code units. */
const maxUrlLength = 200;

/**
 * Returns a statement for the framed document that reports blocked requests to the page: immediately, and again on
 * request, because the page may start listening later. The page doesn't trust it: anything in the frame can send the
 * same message.
 */
export const blockedReporter = (pageOrigin: string): string =>
  `(o=>{let b=[],t=()=>parent.postMessage({blocked:b},o);document.addEventListener("securitypolicyviolation",e=>{if(b.length<${maxReported}){b.push([e.effectiveDirective,e.blockedURI.slice(0,${maxUrlLength})]);t()}});addEventListener("message",e=>{if(e.source===parent&&e.data==="blocked?"){e.stopImmediatePropagation();t()}})})(${JSON.stringify(pageOrigin)})`;
