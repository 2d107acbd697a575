import { micromark } from 'micromark';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import '../../../../../shared/markdown/edit-map.ts';
import { decorateHtml } from '../../../layout/rendered-html.ts';

/** @type {("yaml" | "toml")[]} */
const matters = ['yaml', 'toml'];

// The same as for shares, without anchors and highlighting: raw HTML is escaped, dangerous addresses are emptied.
const options = {
  extensions: [gfm(), frontmatter(matters)],
  htmlExtensions: [gfmHtml(), frontmatterHtml(matters)],
};

addEventListener('message', ({ data }) => postMessage(decorateHtml(micromark(data, options))));
// It is loaded: what it takes from now on is the conversion's own time.
postMessage('');
