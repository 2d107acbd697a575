import { useEffect } from 'preact/hooks';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { Menu } from '../../../../browser/components/menu.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { formatTime } from '../../../../browser/data/format.ts';
import { createSource, type Source } from '../../../../browser/data/source.ts';
import { FileName } from '../../../../browser/files/file-name.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { filesTexts as texts } from '../../texts.ts';
import { describeAccess } from './access.tsx';
import { download, downloadUrl, listActions } from './actions.ts';
import { thumbnailUrl } from './picture.tsx';
import { type File, list, rightsOf, url } from './state.ts';

const pdf = 'application/pdf';
const framed: readonly string[] = [pdf, 'text/plain', 'text/markdown', 'text/csv'];
const images: readonly string[] = [
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
];

const Content = ({ file }: { readonly file: File }) => {
  const { name, type, mimeType, hasThumbnail } = file;
  const source = `${downloadUrl(file)}?inline=true`;
  const label = texts.previewOf(name);
  if (images.includes(mimeType ?? '')) return <img src={source} alt={label} />;
  if (hasThumbnail) {
    return <img class="small" src={thumbnailUrl(file)} alt={label} />;
  }
  // biome-ignore lint/a11y/useMediaCaption: files have none
  if (type === 'video') return <video src={source} controls aria-label={label} />;
  // biome-ignore lint/a11y/useMediaCaption: files have none
  if (type === 'audio') return <audio src={source} controls aria-label={label} />;
  // Browsers don't show PDF in a sandbox.
  const sandbox = mimeType === pdf ? undefined : '';
  if (framed.includes(mimeType ?? '')) {
    return <iframe src={source} title={label} sandbox={sandbox} />;
  }
  return <p class="mute small">{texts.noPreview}</p>;
};

const Details = ({ file }: { readonly file: File }) => {
  const { size, type, owner, folder, createdAt } = file;
  const { isOwn } = rightsOf(file);
  const rows: readonly (readonly [string, string])[] = [
    [texts.types[type], formatBytes(size)],
    [texts.columns.created, formatTime(createdAt)],
    [texts.columns.owner, isOwn ? texts.you : owner],
    ...(type === 'folder' ? [] : [[texts.columns.access, describeAccess(file)[1]] as const]),
    ...(folder ? [[texts.path, folder] as const] : []),
  ];
  return (
    <dl class="details">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** What is being previewed, if it isn’t in the list. */
const others = new Map<number, Source<File>>();

const sourceOf = (id: number): Source<File> => {
  const known = others.get(id);
  if (known) return known;
  const made = createSource<File>(() => api.call('GET /api/files/{id}', { params: { id } }));
  others.set(id, made);
  return made;
};

/** Shows a file beside the list: its content, where browsers can show it, and its details. */
export const Preview = ({ id }: { readonly id: number }) => {
  const listed = list.items.value?.find((file) => file.id === id);
  const source = sourceOf(id);
  useEffect(() => {
    if (!listed) void source.load();
  }, [id]);
  const file = listed ?? source.data.value;
  const failure = source.failure.value;
  const actions = file ? listActions(file).filter(({ label }) => label !== texts.preview) : [];
  return (
    <Drawer
      title={file?.name ?? texts.preview}
      heading={file && <FileName name={file.name} />}
      onClose={() => url.close({ open: undefined })}
      footer={
        file && (
          <>
            <Button kind="primary" icon="load" onClick={() => download(file)}>
              {texts.download}
            </Button>
            <span class="end">
              <Menu label={texts.preview} items={actions} isLarge />
            </span>
          </>
        )
      }
    >
      {file ? (
        <>
          <div class="preview">
            <Content key={file.id} file={file} />
          </div>
          <Details file={file} />
        </>
      ) : failure ? (
        <Failure error={failure} again={() => source.load()} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Drawer>
  );
};
