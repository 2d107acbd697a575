import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCommand, run } from '../../../infra/commands/command.ts';
import { launchBrowser } from '../../support/pages/browser.ts';
import { startDemoService } from '../../support/pages/demo-service.ts';
import { existsAt } from '../../support/pages/page-state.ts';
import { createVisits } from '../../support/pages/visit.ts';
import { pageStates } from '../states/states.ts';
import { takeReadmePictures } from './readme-pictures.ts';
import { takeCard } from './take-card.ts';

const folder = join(import.meta.dirname, '../../../pictures');
const widths = [390, 900, 1440] as const;
const schemes = ['light', 'dark'] as const;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const usage = `Usage: npm run pictures -- [<start of a name>]… [--readme | --card]
Takes pictures of the pages of the demo: all, or those whose names start so.
  --readme  those of README.md
  --card    that of link previews`;

await run(async (args) => {
  const { values, positionals } = parseCommand(usage, {
    args,
    options: {
      readme: { type: 'boolean', default: false },
      card: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const isChosen = ({ name }: { readonly name: string }): boolean =>
    positionals.length === 0 || positionals.some((start) => name.startsWith(start));
  const [browser, demo] = await Promise.all([launchBrowser(), startDemoService()]);
  const visit = createVisits(browser, demo);
  try {
    if (values.card) print(await takeCard(browser));
    else if (values.readme) {
      for (const line of await takeReadmePictures(visit)) print(line);
    } else {
      await mkdir(folder, { recursive: true });
      for (const state of pageStates.filter(isChosen)) {
        for (const width of widths.filter((one) => existsAt(state, one))) {
          for (const colorScheme of schemes) {
            const { page, complaints, close } = await visit(state, { width, colorScheme });
            const name = `${state.name}-${width}-${colorScheme}.png`;
            await page.screenshot({ path: join(folder, name), fullPage: true });
            print([name, ...complaints].join('  '));
            await close();
          }
        }
      }
    }
  } finally {
    await browser.close();
    await demo.close();
  }
});
