import '../shared-modules.ts';
import { startBell } from './bell.ts';
import { startCheckin } from './checkin.ts';
import { startConnection } from './connection/connection.ts';
import { startCounts } from './counts.ts';
import { startFocusKeeper } from './focus-keeper.ts';
import { startGuard } from './navigation/guard.ts';
import { startSheets } from './navigation/sheets.ts';
import { startDialogs } from './palette-dialog.ts';
import { startReloadOffers } from './reload.ts';
import { signedIn } from './session.ts';
import { startKeys } from './shortcuts.ts';
import { startUpdates } from './updates.ts';
import { startUserMenu } from './user-menu.ts';

// A page that is shown before its transition is ready goes without one: nothing is lost by that.
addEventListener('unhandledrejection', (event) => {
  if (/^Transition was/.test(event.reason?.message)) event.preventDefault();
});
startReloadOffers();
startConnection();
startGuard();
startKeys();
startDialogs();
startFocusKeeper();
startSheets();
if (signedIn) {
  startBell();
  startCheckin();
  startCounts();
  startUpdates();
  startUserMenu();
}
