import { render } from 'preact';
import { byId } from './elements.ts';
import { failure, type Notice, notice, olderNotice, remark } from './notice.ts';

const Note = ({ text, action }: Notice) => (
  <p class="note">
    {text}
    {action && (
      <button type="button" class="btn sm" onClick={action.run}>
        {action.label}
      </button>
    )}
  </p>
);

const Notices = () => (
  <>
    {olderNotice.value && <Note {...olderNotice.value} />}
    {notice.value && <Note {...notice.value} />}
    {remark.value && <Note text={remark.value} />}
  </>
);

const Failure = () =>
  failure.value && (
    <p class="note bad">
      {failure.value.text}
      {failure.value.signIn && (
        <a class="btn sm" href="/login" target="_blank" rel="noopener">
          {failure.value.signIn}
        </a>
      )}
    </p>
  );

/** Shows the messages of the page. */
export const startNotices = (): void => {
  render(<Notices />, byId('notices'));
  render(<Failure />, byId('failure'));
};
