import { encode } from 'uqr';
import { toQrPath } from '../../../browser/qr-path.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Words of the dialog. */
interface QrTexts {
  readonly title: string;
  readonly label: string;
  readonly close: string;
}

/** Draws the QR code of a link, dark on white in both themes: scanners expect it. */
const draw = (link: string, label: string): SVGSVGElement => {
  const { size, data } = encode(link, { border: 4 });
  const svg = document.createElementNS(svgNamespace, 'svg');
  const path = document.createElementNS(svgNamespace, 'path');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  path.setAttribute('d', toQrPath(data));
  svg.append(path);
  return svg;
};

const createText = (tag: string, text: string): HTMLElement => {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
};

/** Opens a dialog with the QR code of a link. */
export const showQrCode = (link: string, texts: QrTexts): void => {
  const dialog = document.createElement('dialog');
  const form = document.createElement('form');
  const heading = createText('h2', texts.title);
  const close = createText('button', texts.close);
  const address = createText('p', link);
  dialog.className = 'modal qr';
  heading.id = 'Qr-heading';
  dialog.setAttribute('aria-labelledby', heading.id);
  form.method = 'dialog';
  close.className = 'btn';
  address.className = 'qr-link';
  form.append(close);
  dialog.append(heading, draw(link, texts.label), address, form);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
};
