// What no page needs before the user does something. Pages load it after the rest and work without it, too.
import { startFocusKeeper } from './focus-keeper.ts';
import { startPageTransitions } from './page-transitions.ts';

startFocusKeeper();
startPageTransitions();
