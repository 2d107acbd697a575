import { formatBytes } from '../../../../../../../shared/text/format-bytes.ts';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { Menu, type MenuItem } from '../../../../../browser/components/menu.tsx';
import { formatDayOfYear } from '../../../../../browser/data/format.ts';
import { formatAge } from '../../../../../browser/shell/relative-time.ts';
import type { IconName } from '../../../../../layout/icons.ts';
import { dataTexts as texts } from '../../../data-texts.ts';
import { useAction } from '../security/action.ts';
import { SetRow } from '../set-card.tsx';
import { download, remove, request } from './actions.ts';
import { describeFilters, type Export, getName, isOpen } from './state.ts';

const joined = (...parts: readonly (string | null | false)[]): string =>
  parts.filter(Boolean).join(' · ');

/** Returns what is known of the file. */
const describe = (one: Export): string => {
  const { kind, status, bytes, rows, expiresAt, requestedAt, problem } = one;
  const filters = describeFilters(one);
  if (isOpen(one)) return joined(filters, `${texts.preparing} ${texts.canLeave}`);
  if (status === 'failed') return joined(filters, problem);
  return joined(
    filters,
    expiresAt !== null && texts.readyUntil(formatDayOfYear(expiresAt)),
    rows !== null && (kind === 'own-data' ? texts.files(rows) : texts.rows(rows)),
    bytes !== null && formatBytes(bytes),
    texts.askedFor(formatAge(requestedAt)),
  );
};

/** What an export could not take along. */
const LeftOut = ({ leftOut }: Export) =>
  leftOut.length === 0 ? null : (
    <details>
      <summary>{texts.leftOut(leftOut.length)}</summary>
      <ul>
        {leftOut.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );

const icons: Readonly<Record<Export['kind'], IconName>> = {
  'own-data': 'load',
  users: 'users',
  sales: 'coin',
  audit: 'log',
  shares: 'share',
};

interface ButtonsProps {
  readonly one: Export;
  readonly more: readonly MenuItem[];
}

/** What can be done with an export. */
const Buttons = ({ one, more }: ButtonsProps) => {
  const { isBusy, run } = useAction();
  const name = getName(one);
  if (isOpen(one)) {
    return (
      <Button
        kind="ghost"
        size="sm"
        isBusy={isBusy.value}
        aria-label={texts.cancelOf(name)}
        onClick={() => run(() => remove(one))}
      >
        {texts.cancel}
      </Button>
    );
  }
  const isReady = one.status === 'ready';
  const items: readonly MenuItem[] = [
    ...more,
    { label: texts.delete, icon: 'trash', isBad: true, run: () => run(() => remove(one)) },
  ];
  return (
    <>
      {isReady && (
        <Button
          size="sm"
          isBusy={isBusy.value}
          aria-label={texts.downloadOf(name)}
          onClick={() => run(() => download(one))}
        >
          {texts.download}
        </Button>
      )}
      {!isReady && one.kind === 'own-data' && (
        <Button size="sm" isBusy={isBusy.value} onClick={() => run(request)}>
          {texts.tryAgain}
        </Button>
      )}
      <Menu label={texts.actionsFor(name)} items={items} />
    </>
  );
};

/** The row of an export that was asked for. `title`: of the newest one of the own data, what it is for. */
export const ExportRow = ({ one, title }: { readonly one: Export; readonly title?: string }) => {
  const { run } = useAction();
  const more: readonly MenuItem[] =
    title === undefined || one.status === 'failed'
      ? []
      : [{ label: texts.requestAgain, icon: 'again', run: () => run(request) }];
  return (
    <li class="setrow">
      <SetRow
        icon={icons[one.kind]}
        title={
          <>
            <b>{title ?? getName(one)}</b>
            {one.status === 'failed' && <Badge kind="bad">{texts.failed}</Badge>}
          </>
        }
        about={
          <>
            <span dir="auto">{describe(one)}</span>
            <LeftOut {...one} />
          </>
        }
      >
        <Buttons one={one} more={more} />
      </SetRow>
    </li>
  );
};
