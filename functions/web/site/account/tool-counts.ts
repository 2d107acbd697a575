/** How many tools a token of each preset may use: what `handbill mcp --check` says. */
const counts = { private: 9, members: 9, read: 7 } as const;

/** Returns how many tools a token of a preset may use. */
export const countTools = (preset: keyof typeof counts): number => counts[preset];
