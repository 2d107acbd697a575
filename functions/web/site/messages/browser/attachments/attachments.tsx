import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { FileName } from '../../../../browser/files/file-name.tsx';
import { may } from '../../../../browser/shell/session.ts';
import { talkTexts as texts } from '../../talk-texts.ts';
import type { DraftId } from '../parts/drafts.ts';
import { attachNew, dismiss, getAttached, getUploads, retry, toggle } from './attached.ts';

/** Only who may upload has files. */
const mayAttach = may('files:create') && may('files:view');

/** Opens the dialog that chooses files. */
export const AttachButton = ({ of }: { readonly of: DraftId }) =>
  mayAttach ? (
    <Button
      kind="ghost"
      size="sm"
      icon="clip"
      label={texts.attach}
      onClick={async () => (await import('./attach-dialog.tsx')).openAttach(of)}
    />
  ) : null;

/** The files of a draft, and those that are being uploaded for it. */
export const AttachedFiles = ({ of }: { readonly of: DraftId }) => {
  const files = getAttached(of);
  const uploads = getUploads(of);
  if (files.length + uploads.length === 0) return null;
  return (
    <ul class="attached" aria-label={texts.attached}>
      {files.map((file) => (
        <li key={file.id} class="chip on">
          <span class="cut" dir="auto" title={file.name}>
            <FileName name={file.name} />
          </span>
          <span class="tiny mute num">{formatBytes(file.size)}</span>
          <Button
            kind="ghost"
            size="sm"
            icon="x"
            label={texts.detach(file.name)}
            onClick={() => toggle(of, file)}
          />
        </li>
      ))}
      {uploads.map((item) => {
        const { file, state, part, message } = item;
        const hasFailed = state === 'failed';
        return (
          <li key={`upload-${item.id}`} class="chip on">
            <span class="cut" dir="auto" title={file.name}>
              <FileName name={file.name} />
            </span>
            {hasFailed ? (
              <>
                <span class="err" role="status">
                  {message}
                </span>
                <Button
                  kind="ghost"
                  size="sm"
                  icon="again"
                  label={texts.retryUpload(file.name)}
                  onClick={() => retry(item)}
                />
              </>
            ) : (
              <progress aria-label={texts.uploadOf(file.name)} value={part} max={1} />
            )}
            <Button
              kind="ghost"
              size="sm"
              icon="x"
              label={texts.detach(file.name)}
              onClick={() => dismiss(item)}
            />
          </li>
        );
      })}
    </ul>
  );
};

/** Returns why a draft can’t be sent yet because of its uploads. */
export const whyNotSent = (of: DraftId): string | undefined =>
  getUploads(of).length > 0 ? texts.uploadsFirst : undefined;

const readFiles = (data: DataTransfer | null): readonly File[] => [...(data?.files ?? [])];

/** What a form needs to take files that are dropped or pasted. */
export const acceptFiles = (of: DraftId) => {
  const accept = (event: DragEvent | ClipboardEvent, data: DataTransfer | null) => {
    const files = readFiles(data);
    if (files.length === 0) return;
    event.preventDefault();
    attachNew(of, files);
  };
  return mayAttach
    ? {
        onDragOver: (event: DragEvent) => {
          if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
        },
        onDrop: (event: DragEvent) => accept(event, event.dataTransfer),
        onPaste: (event: ClipboardEvent) => accept(event, event.clipboardData),
      }
    : {};
};
