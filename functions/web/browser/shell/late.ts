// What nobody needs before the user does something. Pages load it after the rest, and work without it.
import { startFocusKeeper } from './focus-keeper.ts';
import { startSheets } from './navigation/sheets.ts';
import { signedIn } from './session.ts';
import { startUserMenu } from './user-menu.ts';

startFocusKeeper();
startSheets();
if (signedIn) startUserMenu();
