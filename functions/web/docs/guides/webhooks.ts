/** A program for Node.js that receives webhooks, as the guide shows it. */
export const receiverExample = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET;
const key = Buffer.from(secret.replace('whsec_', ''), 'base64');

const isAuthentic = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false;
  const expected = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest();
  return signatures.split(' ').some((one) => {
    const [version, text = ''] = one.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
};

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (!isAuthentic(request.headers, body)) return response.writeHead(401).end();
  response.writeHead(204).end();
  const { type, timestamp, data } = JSON.parse(body);
  console.log(request.headers['webhook-id'], type, timestamp, data);
}).listen(process.env.PORT);
`;

/** What the API reference says to those who receive webhooks, in Markdown. */
export const webhookGuide = `Addresses of yours that are told by a POST when something happens, as [Standard Webhooks](https://www.standardwebhooks.com) are. Events carry ids, labels and times, never content; \`webhooks\` in [openapi.json](/api/openapi.json) describes each.

**Answer** with any 2xx within 10 seconds, and do the work after that. Everything else, redirects included, is a failure: an event is tried five times within six hours. After three days of failures only, the webhook is paused and you are told; a 410 pauses it at once.

**Expect repetitions**, in any order: the same event has the same \`webhook-id\`.

**Check the signature** over the id, the time and the body as they came, before you read the body:

\`\`\`js
${receiverExample}\`\`\`

When you renew the secret, requests have two signatures for 24 hours, by the new and the former one. Your address is https at the port 443 of a public host; with \`format: text\` it gets \`{"text": "…"}\`, which Slack, Mattermost and Google Chat show; Discord does at its address with \`/slack\` at the end.`;
