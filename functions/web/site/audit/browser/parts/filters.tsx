import { auditActionTexts } from '../../../../../../shared/audit/action-texts.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { ExportMenu } from '../../../../browser/export/export-menu.tsx';
import { may } from '../../../../browser/shell/session.ts';
import { auditTexts as texts } from '../../texts.ts';
import { isFiltered, noFilter } from '../../view.ts';
import { list, toParameters, url, view } from './state.ts';

const Action = () => (
  <select
    class="in"
    aria-label={texts.action}
    value={view.value.action ?? ''}
    onChange={({ currentTarget: { value } }) => url.change({ action: value || undefined })}
  >
    <option value="">{texts.anyAction}</option>
    {Object.entries(auditActionTexts).map(([kind, { label, actions }]) => (
      <optgroup key={kind} label={label}>
        {Object.entries(actions).map(([verb, text]) => (
          <option key={verb} value={`${kind}.${verb}`}>
            {text}
          </option>
        ))}
      </optgroup>
    ))}
  </select>
);

const Day = ({ name, label }: { readonly name: 'from' | 'to'; readonly label: string }) => (
  <label class="day">
    {label}
    <input
      class="in"
      type="date"
      value={view.value[name]}
      onChange={({ currentTarget: { value } }) => url.change({ [name]: value })}
    />
  </label>
);

const Chip = ({ text, remove }: { readonly text: string; readonly remove: () => unknown }) => (
  <button type="button" class="chip on" onClick={remove}>
    <span class="cut" dir="auto">
      {text}
    </span>
    <Icon name="x" />
  </button>
);

const Actor = () => {
  const { actor } = view.value;
  if (actor !== undefined) {
    const entry = list.items.value?.find((one) => one.actor?.id === actor);
    const name = entry?.actor?.name ?? texts.someone;
    return <Chip text={texts.by(name)} remove={() => url.change({ actor: undefined })} />;
  }
  if (!may('users:view')) return null;
  return (
    <Button
      size="sm"
      icon="user"
      onClick={async () => {
        const { chooseUser } = await import('./choose-user.tsx');
        chooseUser(({ id }) => url.change({ actor: id, subject: undefined }));
      }}
    >
      {texts.anyone}
    </Button>
  );
};

const Subject = () => {
  const { subject } = view.value;
  if (subject === undefined) return null;
  const entry = list.items.value?.find((one) => one.subject === subject);
  return (
    <Chip
      text={texts.about(entry?.subjectName ?? subject)}
      remove={() => url.change({ subject: undefined })}
    />
  );
};

const Total = () => {
  const { total, totalIsExact, items } = list;
  if (!items.value?.length || total.value === undefined) return null;
  if (!totalIsExact.value && !isFiltered(view.value)) return null;
  const count = formatNumber(Math.max(total.value, items.value.length));
  return (
    <span class="small mute num">{texts.total(`${count}${totalIsExact.value ? '' : '+'}`)}</span>
  );
};

/** What is listed, and its export. */
export const Filters = () => (
  <div class="tools">
    <Actor />
    <Subject />
    <Action />
    <Day name="from" label={texts.from} />
    <Day name="to" label={texts.to} />
    {isFiltered(view.value) && (
      <Button kind="ghost" size="sm" onClick={() => url.change(noFilter)}>
        {texts.clear}
      </Button>
    )}
    <span class="row end">
      <Total />
      {may('audit:export') && (
        <ExportMenu path="/api/audit/export" getQuery={() => toParameters(view.value)} />
      )}
    </span>
  </div>
);
