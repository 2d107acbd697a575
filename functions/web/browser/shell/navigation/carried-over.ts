/** The pages without the shell. They carry nothing over, and neither does what the API returns. */
const plainPaths = /^\/(s|api(?!\/docs$)|login|register|forgot|verify|reset|invite|undo-email)\b/;

/** Whether a page at this address takes part in transitions: those of the console and their errors do. */
export const isCarriedOver = (url: string): boolean => !plainPaths.test(new URL(url).pathname);
