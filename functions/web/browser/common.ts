// The modules that most pages use, which the shell does on all. Each script in Preact imports this file, so they are loaded as one.
import '@preact/signals';
import 'preact';
import './client/client.ts';
import './components/icon.tsx';
import './components/toast.tsx';
import './data/clipboard.ts';
import './data/share-name.ts';
import './shell/api.ts';
import './shell/feedback.ts';
import './shell/page-keys.ts';
import './shell/platform.ts';
import './shell/single-keys.ts';
import './shell/preferences.ts';
import './shell/relative-time.ts';
import './shell/session.ts';
import './shell/unsaved.ts';
import './texts.ts';
