// The style of second factors: few visits need it.
import css from './factors.css?text';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
