import { startBell } from './bell.ts';
import { startCheckin } from './checkin.ts';
import { startConnection } from './connection.ts';
import { startCounts } from './counts.ts';
import { startGuard } from './guard.ts';
import { startPageTransitions } from './page-transitions.ts';
import { startDialogs } from './palette-dialog.ts';
import { signedIn } from './session.ts';
import { startSheets } from './sheets.ts';
import { startKeys } from './shortcuts.ts';
import { startUpdates } from './updates.ts';
import { startUserMenu } from './user-menu.ts';

startPageTransitions();
startConnection();
startGuard();
startKeys();
startDialogs();
startSheets();
// Nothing loses the focus at once, and without the keeper the page works as well.
import('./focus-keeper.ts').then(
  ({ startFocusKeeper }) => startFocusKeeper(),
  () => {},
);
if (signedIn) {
  startBell();
  startUserMenu();
  startCheckin();
  startCounts();
  startUpdates();
}
