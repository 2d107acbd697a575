import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

export const kinds = ['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION'];
export const alerts = kinds
  .map((kind) => `> [!${kind}]\n> Words with \`code\` and $x$.\n`)
  .join('\n');
export const long = Array.from({ length: 40 }, (_, at) => `a_{${at}}`).join(' + ');
export const content = `# All of it

${alerts}
Inline $\\frac{a}{b}$, $5 and $10.

$$
${long}
$$

$$\\begin{array}{|c|c|}\\hline a & \\boxed{b} \\\\ \\hline\\end{array} + \\cancel{\\color{green}x}$$
`;

export const open = async (body: Record<string, unknown>, hash = '') => {
  const { share } = await serveShares();
  const url = await share({ language: 'markdown', ...body });
  return { url, ...(await openPage(await openContext(browser), `${url}${hash}`)) };
};
