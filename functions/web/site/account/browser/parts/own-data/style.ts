// The style of exports: few visits need it.
import css from './own-data.css?text';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
