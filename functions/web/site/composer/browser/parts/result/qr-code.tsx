import { signal } from '@preact/signals';
import { toQrPath } from '../../../../../browser/qr-path.ts';
import { resultTexts as texts } from '../../../result-texts.ts';

const code = signal<string | undefined>(undefined);

const toggleCode = async (url: string): Promise<void> => {
  if (code.value !== undefined) {
    code.value = undefined;
    return;
  }
  const { encode } = await import('uqr');
  const { data, size } = encode(url);
  code.value = `${size} ${toQrPath(data)}`;
};

/** Shows and hides the QR code. */
export const CodeButton = ({ url }: { readonly url: string }) => (
  <button
    type="button"
    class="btn ghost"
    aria-pressed={code.value !== undefined}
    onClick={() => toggleCode(url)}
  >
    <i class="i-qr" />
    {texts.qr}
  </button>
);

/** The QR code of the link, once it is asked for. */
export const Code = () => {
  if (code.value === undefined) return null;
  const [size, ...path] = code.value.split(' ');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={texts.qrOf}>
      <path d={path.join(' ')} />
    </svg>
  );
};
