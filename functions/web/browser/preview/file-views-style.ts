// The style of a file as a table or a tree: few texts need it.
import css from '../file-views.css?text';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
