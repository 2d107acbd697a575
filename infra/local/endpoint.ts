import { StartError } from './host/start-error.ts';

/**
 * The endpoint of an AWS service that the environment names (`AWS_ENDPOINT_URL_…`), if it does.
 * @throws StartError when it is no URL
 */
export const configuredEndpoint = (name: string): string | undefined => {
  const endpoint = process.env[name];
  if (!endpoint) return undefined;
  if (URL.canParse(endpoint)) return endpoint;
  throw new StartError(`Set ${name} to a URL such as http://127.0.0.1:8000.`);
};
