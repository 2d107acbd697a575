// The modules of the form. Each lazily loaded part that uses some of them imports this file, so they are loaded as one.
import './failures.ts';
import './notices.tsx';
import './page-states.ts';
import './pasting.ts';
import './preview.ts';
import './state.ts';
import './toolbar.ts';
