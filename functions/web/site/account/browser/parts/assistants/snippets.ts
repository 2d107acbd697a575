/** A piece of a snippet: the name of a field (`k`), a text (`s`) or anything else. */
export interface Piece {
  readonly text: string;
  readonly kind?: 'k' | 's';
}

/** Splits JSON into pieces for highlighting. Together they are the JSON. */
export const highlightJson = (json: string): readonly Piece[] =>
  json
    .split(/("(?:[^"\\]|\\.)*"(?=\s*:)|"(?:[^"\\]|\\.)*")/)
    .map((text, at, all): Piece => {
      if (at % 2 === 0) return { text };
      return { text, kind: all[at + 1]?.trimStart().startsWith(':') ? 'k' : 's' };
    })
    .filter(({ text }) => text !== '');

const print = (value: unknown): string =>
  // An array of one name stays in one line, as people write it.
  JSON.stringify(value, undefined, 2).replace(/\[\s+("[^"]*")\s+\]/g, '[$1]');

/** Returns the address of the service's MCP server. */
export const toMcpAddress = (address: string): string => `${address}/mcp`;

/** Returns the configuration by which an app on the user's computer starts `handbill mcp`. */
export const toConfiguration = (address: string, token: string): string =>
  print({
    mcpServers: {
      handbill: {
        command: 'handbill',
        args: ['mcp'],
        env: { HANDBILL_URL: address, HANDBILL_TOKEN: token },
      },
    },
  });

/** Returns the command that checks the configuration. A terminal doesn't know what the app's configuration sets. */
export const toCheck = (address: string, token: string): string =>
  [`HANDBILL_URL=${address}`, `HANDBILL_TOKEN=${token}`, 'handbill mcp --check'].join(' \\\n  ');

/** Returns the header by which a script sends its token. */
export const toHeader = (token: string): string => `Authorization: Bearer ${token}`;

/** Returns a command that lists the tools of the service. */
export const toExample = (address: string, token: string): string =>
  [
    `curl ${toMcpAddress(address)}`,
    `-H "${toHeader(token)}"`,
    '-H "Content-Type: application/json"',
    `-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
  ].join(' \\\n  ');

/** What adds the service to an app by its address. */
export const places = {
  claudeCode: (url: string) => `claude mcp add --transport http handbill ${url}`,
  codex: (url: string) => `codex mcp add handbill --url ${url}`,
  cursor: (url: string) => print({ mcpServers: { handbill: { url } } }),
  vsCode: (url: string) =>
    `code --add-mcp '${JSON.stringify({ name: 'handbill', type: 'http', url })}'`,
} as const;
