import { Empty } from '../../../../browser/components/empty.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { may } from '../../../../browser/shell/session.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { Conversations } from './list.tsx';
import { view } from './url.ts';

const Talk = lazily(async () => (await import('./talk.tsx')).Talk);
const ReadOnly = lazily(async () => (await import('./read-only.tsx')).ReadOnly);
const Compose = lazily(async () => (await import('./compose.tsx')).Compose);

const mayWrite = may('messages:create');

const isWriting = (): boolean => view.value.isNew && mayWrite;

const Open = () => {
  const { open } = view.value;
  if (isWriting()) return <Compose />;
  if (open !== undefined) return <Talk id={open} />;
  return (
    <section>
      {mayWrite ? <Empty title={texts.choose} text={texts.chooseAbout} /> : <ReadOnly />}
    </section>
  );
};

/** The user’s conversations and the one that is open. */
export const Messages = () => {
  const { open } = view.value;
  return (
    <div class={open !== undefined || isWriting() ? 'mail open' : 'mail'}>
      <Conversations />
      <Open />
    </div>
  );
};
