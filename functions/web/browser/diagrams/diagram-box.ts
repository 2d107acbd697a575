import { countBytes } from '../../../../shared/text/count-bytes.ts';
import { updateTabStops } from '../code-blocks.ts';
import { createDrawing, type Drawing, type Failure, type Size } from './drawing.ts';
import { maxDiagramBytes } from './messages.ts';
import { diagramTexts as texts } from './texts.ts';

/** Why a block of code has no drawing. */
export type Reason = keyof typeof texts.notDrawn;

/** A block of code with its drawing, between which its reader switches. */
export interface DiagramBox {
  readonly figure: HTMLElement;
  /** Draws the current code in these colors, unless that was tried. Resolves once it is, or why it isn’t. */
  draw(isDark: boolean): Promise<Failure | undefined>;
  /** Leaves the code in place of the drawing and says why. */
  giveUp(reason: Reason): void;
  /** Ends what draws. */
  remove(): void;
}

const createSwitch = (): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn ghost sm end';
  button.hidden = true;
  return button;
};

/** Creates the box of a block of code, which draws with the frame at `url`. */
export const createDiagramBox = (figure: HTMLElement, url: string): DiagramBox => {
  const caption = figure.querySelector('figcaption') ?? figure;
  const place = document.createElement('div');
  place.className = 'drawing scroll';
  place.role = 'group';
  place.ariaLabel = texts.diagram;
  const note = document.createElement('span');
  note.className = 'cut';
  note.hidden = true;
  const button = createSwitch();
  // The first of the other buttons, which stand at the end.
  const next = caption.querySelector('.end');
  next?.before(note, button);
  figure.append(place);

  let drawing: Drawing | undefined;
  let tried = '';
  let hasDrawing = false;
  let showsCode = false;

  const update = (reason?: Reason): void => {
    figure.classList.toggle('drawn', hasDrawing && !showsCode);
    button.hidden = !hasDrawing;
    next?.classList.toggle('end', !hasDrawing);
    button.textContent = showsCode ? texts.showDiagram : texts.showCode;
    note.hidden = reason === undefined;
    note.textContent = reason === undefined ? '' : texts.notDrawn[reason];
    updateTabStops(figure);
  };
  button.addEventListener('click', () => {
    showsCode = !showsCode;
    update();
  });

  const show = ({ width, height }: Size): void => {
    place.style.setProperty('--width', `${width}px`);
    place.style.setProperty('--ratio', `${width} / ${height}`);
    hasDrawing = true;
    update();
  };
  const giveUp = (reason: Reason): void => {
    drawing?.remove();
    drawing = undefined;
    hasDrawing = false;
    update(reason);
  };
  const getCode = (): string => figure.querySelector('code')?.textContent ?? '';

  return {
    figure,
    giveUp: (reason) => {
      tried = '';
      giveUp(reason);
    },
    draw: async (isDark) => {
      const code = getCode();
      const wanted = `${isDark} ${code}`;
      if (wanted === tried) return undefined;
      tried = wanted;
      if (countBytes(code) > maxDiagramBytes) {
        giveUp('tooLarge');
        return undefined;
      }
      if (!drawing) {
        drawing = createDrawing(url, texts.diagram);
        place.append(drawing.frame);
      }
      const result = await drawing.draw({ code, isDark });
      if (typeof result === 'object') {
        show(result);
        return undefined;
      }
      // What was drawn before an edit stays until the code can be drawn again.
      if (result !== 'invalid' || !hasDrawing) giveUp(result);
      return result;
    },
    remove: () => drawing?.remove(),
  };
};
