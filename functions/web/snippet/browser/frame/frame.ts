// The script of a snippet in a frame, which runs before the snippet's own. It helps readers and limits nobody: a snippet
// can undo it. Limits are in the sandbox and the policy (decisions.md#isolation).

import { keepWhileRead, offerFilesOfScripts } from './files.ts';
import { stopForms } from './forms.ts';
import { openLinksInNewTab } from './links.ts';
import { reportToPage } from './report.ts';
import { keepStorage } from './storage.ts';
import { removePeerConnections, tellRefusals } from './taken.ts';
import { tellUse } from './use.ts';

/** Filled in when a snippet is served: the origin of the page that frames it. */
declare const pageOrigin: string;
/** Filled in as well: the path of that page. */
declare const pagePath: string;
/** Whether the document has scripts or forms. Without them, it needs less. */
declare const isActive: boolean;

document.currentScript?.remove();
if (parent === self) {
  // Browsers that don't say what they load a document for (decisions.md#isolation).
  stop();
  location.replace(pageOrigin + pagePath);
} else {
  if (isActive) {
    removePeerConnections();
    keepStorage();
    tellRefusals();
    stopForms();
    keepWhileRead();
    offerFilesOfScripts();
  }
  openLinksInNewTab();
  reportToPage();
  tellUse();
}
