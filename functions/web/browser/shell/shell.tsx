import { startBell } from './bell.ts';
import { startCheckin } from './checkin.ts';
import { startConnection } from './connection.ts';
import { startCounts } from './counts.ts';
import { startGuard } from './guard.ts';
import { startPageTransitions } from './navigation/page-transitions.ts';
import { startDialogs } from './palette-dialog.ts';
import { signedIn } from './session.ts';
import { startKeys } from './shortcuts.ts';
import { startUpdates } from './updates.ts';

startPageTransitions();
startConnection();
startGuard();
startKeys();
startDialogs();
import('./late.ts').catch(() => {});
if (signedIn) {
  startBell();
  startCheckin();
  startCounts();
  startUpdates();
}
