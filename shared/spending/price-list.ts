import routePrices from './route-prices.json' with { type: 'json' };

/** Billionths of a dollar: the unit in which requests are metered. */
export const nanosPerDollar = 1e9;

/** https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer (to the internet) */
const transferNanosPerByte = (0.09 * nanosPerDollar) / 1024 ** 3;

/** Bytes of response headers sent to the internet, TLS included. */
const headerBytes = 700;

const endpoints: Readonly<Record<string, number>> = routePrices.endpoints;

const dearest = Math.max(...Object.values(endpoints));

/**
 * Returns the price of a request in billionths of a dollar, its jobs and the transfer of these bytes included. An endpoint
 * that nobody has measured costs as much as the dearest one.
 */
export const getPrice = (endpoint: string, bytes: number): number =>
  Math.ceil((endpoints[endpoint] ?? dearest) + (bytes + headerBytes) * transferNanosPerByte);

/** What a month without requests costs, in billionths of a dollar. */
export const idleMonthNanos: number = routePrices.idleMonth;
