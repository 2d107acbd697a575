import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withRoutes } from './readme-routes.ts';

const readme = join(import.meta.dirname, '../../functions/README.md');

await writeFile(readme, withRoutes(await readFile(readme, 'utf8')));
