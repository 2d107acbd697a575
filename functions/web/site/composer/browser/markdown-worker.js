import { micromark } from 'micromark';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import '../../../../../shared/markdown/edit-map.ts';
import { decorateHtml } from '../../../layout/rendered-html.ts';

/** @type {("yaml" | "toml")[]} */
const matters = ['yaml', 'toml'];

// Matches the rendering of shares without anchors and highlighting: escapes raw HTML and removes dangerous URLs.
const options = {
  extensions: [gfm(), frontmatter(matters)],
  htmlExtensions: [gfmHtml(), frontmatterHtml(matters)],
};

addEventListener('message', ({ data }) => postMessage(decorateHtml(micromark(data, options))));
// Reports that loading is done: the timeout of a conversion starts now.
postMessage('');
