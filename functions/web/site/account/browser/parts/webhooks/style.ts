// The style of webhooks: few visits need it.
import css from './webhooks.css?text';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
