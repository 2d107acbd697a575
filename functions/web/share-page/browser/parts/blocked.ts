import { shareScriptTexts as texts } from '../texts.ts';

// The frame's content is untrusted and may send any number of messages.
const maxMessages = 100;
const maxEntries = 30;
const maxLines = 8;
const maxLineLength = 120;

const kinds = new Map<string | undefined, string>(Object.entries(texts.blockedKinds));

/** Names the kind of a request by a directive such as `img-src` or `script-src-elem`. */
const getKind = (directive: string): string =>
  kinds.get(directive.match(/^[a-z]+/)?.[0]) ?? texts.blockedKinds.other;

/** Formats the blocked requests that a frame reports. The value may be anything. */
const toLines = (blocked: unknown): string[] => {
  const lines = new Set<string>();
  for (const entry of Array.isArray(blocked) ? blocked.slice(0, maxEntries) : []) {
    const [directive, url] = Array.isArray(entry) ? entry : [];
    lines.add(`${getKind(String(directive))}: ${url}`.slice(0, maxLineLength));
  }
  return [...lines].slice(0, maxLines);
};

/** Shows above a frame which requests of its snippet were blocked, as reported by the frame. */
export const watchFrame = (frame: HTMLIFrameElement, notice: Element): void => {
  const [summary, list] = [notice.querySelector('summary span'), notice.querySelector('ul')];
  let messages = 0;
  const onMessage = ({ source, data }: MessageEvent) => {
    if (source !== frame.contentWindow) return;
    messages++;
    if (messages === maxMessages) removeEventListener('message', onMessage);
    const lines = toLines(data?.blocked);
    if (lines.length === 0) return;
    notice.removeAttribute('hidden');
    if (summary) summary.textContent = texts.blocked(Math.min(data.blocked.length, maxEntries));
    list?.replaceChildren(
      ...lines.map((line) => {
        const item = document.createElement('li');
        item.textContent = line;
        return item;
      }),
    );
  };
  addEventListener('message', onMessage);
  // Requests may have been blocked before this listener existed.
  frame.contentWindow?.postMessage('blocked?', '*');
};
