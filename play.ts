import { launchBrowser } from './tests/support/pages/browser.ts';
import { startDemoService, emailOf } from './tests/support/pages/demo-service.ts';
import { createServer } from 'node:http';
// Runs steps of a file given, again and again.
const [browser, demo] = await Promise.all([launchBrowser(), startDemoService()]);
console.log(demo.url);
const signIn = async () => {
  const context = await browser.newContext();
  const response = await context.request.post(`${demo.url}/api/auth/login`, { data: { email: emailOf('mei'), password: demo.password }, headers: { origin: demo.url } });
  if (!response.ok()) throw new Error(await response.text());
  const state = await context.storageState();
  await context.close();
  return state;
};
const state = await signIn();
createServer(async (req, res) => {
  const name = req.url?.slice(1) ?? '';
  try {
    const { default: steps } = await import(`${name}?t=${Date.now()}`);
    const out = await steps({ browser, demo, state });
    res.end(`${out ?? 'ok'}\n`);
  } catch (error) { res.end(`${(error as Error).stack}\n`); }
}).listen(4910, '127.0.0.1');
process.on('SIGTERM', async () => { await browser.close(); await demo.close(); process.exit(0); });
