import mermaid, { type MermaidConfig } from 'mermaid';
import {
  type DiagramReport,
  type DiagramRequest,
  maxDiagramBytes,
} from '../../../browser/diagrams/messages.ts';

const { page = '' } = document.documentElement.dataset;

const report = (message: DiagramReport): void => parent.postMessage(message, page);

/** What no diagram may set: Mermaid’s own list, and what writes styles or markup. */
const secure = [
  ...(mermaid.mermaidAPI.defaultConfig.secure ?? []),
  'altFontFamily',
  'arrowMarkerAbsolute',
  'dompurifyConfig',
  'fontFamily',
  'forceLegacyMathML',
  'htmlLabels',
  'legacyMathML',
  'logLevel',
  'themeCSS',
];

const getTheme = (isDark: boolean) => (isDark ? 'dark' : 'default');

const toConfig = (isDark: boolean): MermaidConfig => ({
  startOnLoad: false,
  securityLevel: 'strict',
  secure,
  suppressErrorRendering: true,
  htmlLabels: false,
  maxTextSize: maxDiagramBytes,
  maxEdges: 500,
  layout: 'dagre',
  theme: getTheme(isDark),
  fontFamily: 'system-ui, sans-serif',
});

/** What stands before the diagram itself: front matter, comments and directives. */
const preamble = /^\s*(?:---\s[\s\S]*?\n\s*---\s|%%\{[\s\S]*?\}%%\s*|%%.*\n\s*)*/;

/** Loads the part of Mermaid for the kind of a diagram, which its first words tell. What they are worth shows when it is drawn. */
const loadKind = async (code: string): Promise<void> => {
  const kind = code.replace(preamble, '').slice(0, 40).split('\n')[0] ?? '';
  await mermaid.parse(kind, { suppressErrors: true });
};

/** Creates the drawing. Its links lead nowhere: only the page may lead its reader elsewhere. */
const draw = async (number: number, code: string): Promise<SVGSVGElement> => {
  // Mermaid removes what has the id of the new drawing, and the former one stays until then.
  const { svg: markup } = await mermaid.render(`diagram${number}`, code);
  const svg = new DOMParser().parseFromString(markup, 'text/html').querySelector('svg');
  if (!svg) throw new Error('Nothing was drawn');
  for (const link of svg.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  return svg;
};

/** Colors of the diagram’s own choice get a ground to match. */
const setGround = (isDark: boolean): void => {
  const { theme = '' } = mermaid.mermaidAPI.getConfig();
  const isOwn = theme !== getTheme(isDark);
  const isDrawnDark = isOwn ? theme.includes('dark') : isDark;
  document.documentElement.className = isDrawnDark ? 'dark' : '';
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  document.body.style.background = isOwn ? (isDrawnDark ? '#222' : '#fff') : '';
};

let latest = 0;

const run = async ({ number, code, isDark }: DiagramRequest): Promise<void> => {
  latest = number;
  const isObsolete = () => latest !== number;
  await loadKind(code);
  if (isObsolete()) return;
  report({ state: 'drawing', number });
  try {
    mermaid.initialize(toConfig(isDark));
    const svg = await draw(number, code);
    if (isObsolete()) return;
    setGround(isDark);
    document.body.replaceChildren(svg);
    const { width, height } = svg.viewBox.baseVal;
    report({ state: 'drawn', number, width, height });
  } catch {
    if (!isObsolete()) report({ state: 'failed', number });
  }
};

addEventListener('message', ({ source, origin, data }: MessageEvent<DiagramRequest>) => {
  if (source === parent && origin === page) void run(data);
});
report({ state: 'ready' });
