/** Responds with the least code. */
export const handler = async () => ({ statusCode: 200, body: '{}' });
