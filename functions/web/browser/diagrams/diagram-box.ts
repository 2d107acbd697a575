import { updateTabStops } from '../code-blocks.ts';
import { createDrawing, type Drawing, type Failure, type Size } from './drawing.ts';
import { maxDiagramBytes } from './messages.ts';
import { diagramTexts as texts } from './texts.ts';

/** Why a block of code has no drawing. */
export type Reason = keyof typeof texts.notDrawn;

/** A block of code with its drawing, between which its reader switches. */
export interface DiagramBox {
  readonly figure: HTMLElement;
  /** Draws what isn’t drawn yet: the current code, in these colors. Resolves once it is, or why it isn’t. */
  draw(isDark: boolean): Promise<Failure | undefined>;
  /** Leaves the code in place of the drawing and says why. */
  giveUp(reason: Reason): void;
  /** Ends what draws. */
  remove(): void;
}

const isTooLarge = (code: string): boolean =>
  new TextEncoder().encode(code).length > maxDiagramBytes;

/** Creates a button that takes the place before the others of a heading. */
const addSwitch = (caption: Element): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn ghost sm end';
  button.hidden = true;
  caption.querySelector('.end')?.before(button);
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
  const button = addSwitch(caption);
  caption.insertBefore(note, button);
  figure.append(place);

  let drawing: Drawing | undefined;
  let drawn = '';
  let showsCode = false;

  const update = (hasDrawing: boolean, reason?: Reason): void => {
    figure.classList.toggle('drawn', hasDrawing && !showsCode);
    button.hidden = !hasDrawing;
    button.textContent = showsCode ? texts.showDiagram : texts.showCode;
    note.hidden = reason === undefined;
    note.textContent = reason === undefined ? '' : texts.notDrawn[reason];
    updateTabStops(figure);
  };
  button.addEventListener('click', () => {
    showsCode = !showsCode;
    update(true);
  });

  const show = ({ width, height }: Size): void => {
    place.style.setProperty('--width', `${width}px`);
    place.style.setProperty('--ratio', `${width} / ${height}`);
    update(true);
  };
  const giveUp = (reason: Reason): void => {
    drawing?.remove();
    drawing = undefined;
    drawn = '';
    update(false, reason);
  };
  const getCode = (): string => figure.querySelector('code')?.textContent ?? '';

  return {
    figure,
    giveUp,
    draw: async (isDark) => {
      const code = getCode();
      const wanted = `${isDark} ${code}`;
      if (wanted === drawn) return undefined;
      if (isTooLarge(code)) {
        giveUp('tooLarge');
        return undefined;
      }
      if (!drawing) {
        drawing = createDrawing(url, texts.diagram);
        place.append(drawing.frame);
      }
      const result = await drawing.draw({ code, isDark });
      if (typeof result === 'object') {
        drawn = wanted;
        show(result);
        return undefined;
      }
      // What was drawn before an edit stays until the code can be drawn again.
      if (result !== 'invalid' || drawn === '') giveUp(result);
      return result;
    },
    remove: () => drawing?.remove(),
  };
};
