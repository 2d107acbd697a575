import { Empty } from '../../../../browser/components/empty.tsx';
import { talkTexts } from '../../talk-texts.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { hasNone } from './conversations.ts';

const Drawing = () => (
  <svg class="art" viewBox="0 0 112 88" aria-hidden="true">
    <rect class="y" x="2" y="5" width="108" height="78" rx="15" />
    <path
      class="p"
      d="M26 25h44a6 6 0 0 1 6 6v20a6 6 0 0 1-6 6H46l-10 9v-9H26a6 6 0 0 1-6-6V31a6 6 0 0 1 6-6z"
    />
    <path class="l" d="M32 37h32M32 46h20" />
    <circle class="x" cx="82" cy="59" r="14" />
    <path class="plus" d="M76.500 58.500h11v7h-11zM78.500 58.500v-3a3.500 3.500 0 0 1 7 0v3" />
  </svg>
);

/** Stands beside the conversations of those who may not write. */
export const ReadOnly = () => (
  <Empty
    art={<Drawing />}
    title={hasNone.value ? talkTexts.getAppear : texts.choose}
    text={
      <>
        {talkTexts.readOnly} (<span class="mono">messages:create</span>).
      </>
    }
  />
);
