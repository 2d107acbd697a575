import { rmSync } from 'node:fs';

// Loaded by a service that tests share: it ends with the process that started it, and removes its data.
process.on('disconnect', () => {
  rmSync(process.env['DATA_DIR'] ?? '', { recursive: true, force: true });
  process.exit();
});
