import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../../../../../browser/components/icon.tsx';
import { shareFilesTexts as texts } from '../../../../share-files-texts.ts';
import { type DraftFile, getName } from '../model/draft-file.ts';
import { formatSize } from '../model/sizes.ts';
import { findIcon } from './icons.ts';

/** Returns an address of bytes while they are shown. */
const useAddress = (bytes: Blob | undefined, type: string): string | undefined => {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!bytes) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return address;
};

const Media = ({ file, address }: { readonly file: DraftFile; readonly address: string }) => {
  const name = getName(file.path);
  const [kind] = file.type.split('/');
  if (kind === 'image') return <img src={address} alt={name} />;
  // biome-ignore lint/a11y/useMediaCaption: it is what the user has chosen
  if (kind === 'audio') return <audio src={address} controls aria-label={name} />;
  // biome-ignore lint/a11y/useMediaCaption: it is what the user has chosen
  return <video src={address} controls aria-label={name} />;
};

const View = ({ file }: { readonly file: DraftFile }) => {
  const { path, size, type, bytes } = file;
  const address = useAddress(bytes, type);
  const isMedia = /^(image|audio|video)\//.test(type);
  return (
    <figure class="file-view">
      {isMedia && address !== undefined ? (
        <Media key={address} file={file} address={address} />
      ) : (
        <>
          <Icon name={findIcon(file)} />
          {bytes && <p class="mute small">{texts.noPreview}</p>}
        </>
      )}
      <figcaption class="small">
        <span class="cut">{getName(path)}</span>
        <span class="mute num">{formatSize(size)}</span>
      </figcaption>
    </figure>
  );
};

const place = document.createElement('div');
place.className = 'file-place';

/** Shows what a file looks like in a pane; `undefined` shows nothing. */
export const showFile = (pane: HTMLElement, file: DraftFile | undefined): void => {
  if (!place.isConnected) pane.append(place);
  place.hidden = file === undefined;
  render(file ? <View key={file.path} file={file} /> : null, place);
};
