import { Empty } from '../../../../browser/components/empty.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { messagesTexts as texts } from '../../texts.ts';
import { Conversations } from './list.tsx';
import { view } from './url.ts';

const Talk = lazily(async () => (await import('./talk.tsx')).Talk);
const Compose = lazily(async () => (await import('./compose.tsx')).Compose);

const Open = () => {
  const { open, isNew } = view.value;
  if (isNew) return <Compose />;
  if (open !== undefined) return <Talk id={open} />;
  return (
    <section>
      <Empty title={texts.choose} text={texts.chooseAbout} />
    </section>
  );
};

/** The user’s conversations and the one that is open. */
export const Messages = () => {
  const { open, isNew } = view.value;
  return (
    <div class={open !== undefined || isNew ? 'mail open' : 'mail'}>
      <Conversations />
      <Open />
    </div>
  );
};
