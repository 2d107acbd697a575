import { takeView } from './parts/kept-view.ts';
import { findClaimedAddress } from './parts/sealed/claim.ts';

const address = takeView() ?? findClaimedAddress();
if (address !== undefined) location.replace(address);

// The answer leads to the page, and to the part of it that the address names.
addEventListener('submit', ({ target }) => {
  if (!(target instanceof HTMLFormElement)) return;
  const url = new URL(target.action);
  url.hash = location.hash;
  target.action = url.href;
});
