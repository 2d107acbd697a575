import { parseFragment } from '../../../../browser/sealed/key.ts';
import { findKey, forgetKey, hasKeyInAddress, keepKey, readPasted } from './address.ts';
import { leaveIfSignedIn } from './arrival.ts';
import { hasClaim, takeClaimOut } from './claim.ts';
import { describeFailure } from './failures.ts';
import { createForms } from './forms.ts';
import { type OpenedShare, openShare, type SealedPage } from './opening.ts';
import { sealedTexts as texts } from './texts.ts';

const readPage = ({ dataset }: HTMLElement): SealedPage => ({
  id: dataset['sealed'] ?? '',
  ownId: dataset['own'],
  author: dataset['author'],
  frameUrl: dataset['frame'] ?? '',
  workerUrl: dataset['worker'] ?? '',
});

const asksForPassphrase = (fragment: string): boolean =>
  parseFragment(fragment)?.hasPassphrase === true;

/** A link that is pasted into this tab is another share, or another key. No part of the page gets it. */
const followAddress = (): void =>
  addEventListener('hashchange', (event) => {
    if (!hasKeyInAddress()) return;
    event.stopImmediatePropagation();
    location.reload();
  });

/** Makes the card of a sealed share work. Without a key it asks for the whole link, and sends nothing. */
export const startGate = (place: HTMLElement): void => {
  const page = readPage(place);
  const { id, ownId } = page;
  const isOwn = ownId !== undefined;
  const counts = 'counts' in place.dataset;
  const forms = createForms(place);
  const arrival = 'asksFirst' in place.dataset ? leaveIfSignedIn() : Promise.resolve(false);
  let fragment: string | undefined;
  let isOpening = false;

  const askForLink = (reason?: string): void => {
    const about = isOwn ? texts.ownIncompleteWhy : texts.incompleteWhy;
    forms.askForLink({ title: texts.incomplete, about, reason });
  };

  const show = async (opened: OpenedShare): Promise<void> => {
    keepKey(id, opened.fragment);
    const { showShare } = await import('./view/show.ts');
    await showShare(opened);
  };

  const fail = (error: unknown, key: string, isAsked: boolean): void => {
    const hasPassphrase = asksForPassphrase(key);
    const failure = describeFailure(error, { isOwn, hasPassphrase, counts });
    if (failure.reloads && isAsked) {
      location.reload();
      return;
    }
    const isLinkWrong = failure.isKeyWrong === true && !hasPassphrase;
    if (isLinkWrong) {
      forgetKey(id, key);
      forms.askForLink({ title: texts.otherKey, about: failure.text });
    } else forms.fail(failure.text, failure.isKeyWrong === true);
    if (isAsked) forms.focus();
  };

  /** Opens the share. `isAsked` if someone pressed the button, who isn’t led elsewhere otherwise. */
  const open = async (key: string, passphrase: string | undefined, isAsked: boolean) => {
    if (isOpening) return;
    isOpening = true;
    forms.setBusy(true);
    try {
      if (await arrival) return;
      // Loaded before a view is counted.
      const view = await import('./view/show.ts').catch(() => undefined);
      if (!view) forms.fail(texts.notLoaded, false);
      else await show(await openShare(page, key, passphrase));
    } catch (error) {
      fail(error, key, isAsked);
    } finally {
      isOpening = false;
      forms.setBusy(false);
    }
  };

  forms.onOpen((typed) => {
    if (fragment === undefined) return;
    const hasPassphrase = asksForPassphrase(fragment);
    if (hasPassphrase && typed === '') {
      forms.fail(texts.passphraseMissing, true);
      forms.focus();
      return;
    }
    void open(fragment, hasPassphrase ? typed : undefined, true);
  });

  forms.onLink((pasted) => {
    const read = readPasted(pasted);
    if (read && 'fragment' in read) {
      fragment = read.fragment;
      forms.offer(asksForPassphrase(fragment));
    } else forms.fail(read ? texts.otherService(read.otherHost) : texts.noKey, true);
    forms.focus();
  });

  const start = (): void => {
    const found = findKey(id);
    fragment = found?.fragment;
    if (!found) {
      askForLink(hasKeyInAddress() ? texts.broken : undefined);
      return;
    }
    const hasPassphrase = asksForPassphrase(found.fragment);
    forms.offer(hasPassphrase, found.isKept);
    const wasOpened = isOwn || hasClaim(counts);
    if (hasPassphrase) forms.focus();
    else if (found.isKept && wasOpened) void open(found.fragment, undefined, false);
  };

  followAddress();
  takeClaimOut();
  if (globalThis.crypto?.subtle) start();
  else {
    forms.offer(false);
    forms.fail(texts.noCrypto, false);
  }
};
