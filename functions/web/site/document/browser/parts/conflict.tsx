import { Button } from '../../../../browser/components/button.tsx';
import { documentPageTexts as texts } from '../../texts.ts';
import { conflict, keepMine, keepTheirs } from './saving.ts';

interface VersionProps {
  readonly label: string;
  readonly title: string;
  readonly content: string;
  readonly action: string;
  readonly onKeep: () => unknown;
}

const Version = ({ label, title, content, action, onKeep }: VersionProps) => (
  <section class="card" aria-label={label}>
    <header class="row">
      <h3>{label}</h3>
      <Button size="sm" class="end" onClick={onKeep}>
        {action}
      </Button>
    </header>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
    <pre class="plain" dir="auto" tabIndex={0}>
      <b>{title}</b>
      {`\n\n${content}`}
    </pre>
  </section>
);

/** Both versions of what two people have changed, of which one is kept. */
export const Conflict = () => {
  const both = conflict.value;
  if (!both) return null;
  const { mine, theirs } = both;
  return (
    <div class="pad versions" role="alert">
      <h2>{texts.conflictTitle}</h2>
      <p class="mute">{texts.conflictText}</p>
      <div class="two">
        <Version
          label={texts.mine}
          title={mine.title}
          content={mine.content}
          action={texts.keepMine}
          onKeep={keepMine}
        />
        <Version
          label={texts.theirs}
          title={theirs.title}
          content={theirs.content ?? ''}
          action={texts.keepTheirs}
          onKeep={keepTheirs}
        />
      </div>
    </div>
  );
};
