import { toast } from '../components/toast.tsx';
import { shellTexts as texts } from './texts.ts';

/** What Chromium, Firefox and Safari say if a part of the page can't be loaded. */
const loadFailure = /dynamically imported module|Importing a module script failed/;

let isOffered = false;

/** Says that a part of the page can’t be loaded, and offers to load the page again: browsers keep the failure of a module. */
const offerReload = (): void => {
  if (isOffered) return;
  isOffered = true;
  toast({
    text: texts.notLoaded,
    kind: 'bad',
    // What isn't sent is asked about, as by any other way to leave.
    action: { label: texts.reload, run: () => location.reload() },
    onGone: () => {
      isOffered = false;
    },
  });
};

/** Returns what is loaded. If it can’t be, offers to load the page again, and fails. */
export const orReload = async <Loaded>(loading: Promise<Loaded>): Promise<Loaded> => {
  try {
    return await loading;
  } catch (error) {
    offerReload();
    throw error;
  }
};

/** Starts to offer a new page where nothing else says that a part of it can’t be loaded, such as after an upgrade. */
export const startReloadOffers = (): void => {
  addEventListener('unhandledrejection', (event) => {
    if (!loadFailure.test(event.reason?.message)) return;
    event.preventDefault();
    offerReload();
  });
};
