/** As much as the page around can use. */
const mostReported = 30;
/** UTF-16 units of an address. */
const longestAddress = 200;

/**
 * A statement for a frame's document: it tells the page around what the policy has blocked, at once and again when that
 * asks, which may come to listen later.
 * Anything in the frame can send the same message: the page believes none of it.
 */
export const blockedReporter = (pageOrigin: string): string =>
  `(o=>{let b=[],t=()=>parent.postMessage({blocked:b},o);document.addEventListener("securitypolicyviolation",e=>{if(b.length<${mostReported}){b.push([e.effectiveDirective,e.blockedURI.slice(0,${longestAddress})]);t()}});addEventListener("message",e=>{if(e.source===parent&&e.data==="blocked?"){e.stopImmediatePropagation();t()}})})(${JSON.stringify(pageOrigin)})`;
