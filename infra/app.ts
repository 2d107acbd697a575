import { SettingError } from '../shared/runtime/settings.ts';
import { buildArtefacts } from './build/artefacts.ts';
import { readCommit } from './build/commit.ts';

try {
  await buildArtefacts();
  // The stack imports the routes, which import artefacts.
  const { createApp } = await import('./stack/handbill-app.ts');
  const { readSettingsFile } = await import('./stack/settings/settings-file.ts');
  createApp(undefined, {
    commit: readCommit(),
    readFile: (stage) => {
      process.stderr.write(
        'Settings: those of -c and handbill.json. What the stage remembers is only known to `npm run deploy`.\n',
      );
      return readSettingsFile(stage);
    },
  });
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
