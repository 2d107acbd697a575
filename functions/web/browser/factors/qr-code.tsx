import { useEffect, useState } from 'preact/hooks';
import { toQrPath } from '../qr-path.ts';

/** A text as a QR code, dark on white in both themes: scanners expect it. Its place is there before it is drawn. */
export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [drawn, setDrawn] = useState({ size: 1, path: '' });
  useEffect(() => {
    const draw = async () => {
      const { encode } = await import('uqr');
      const { size, data } = encode(text);
      setDrawn({ size, path: toQrPath(data) });
    };
    // Without it, the key is there to be typed.
    draw().catch(() => {});
  }, [text]);
  const { size, path } = drawn;
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
};
