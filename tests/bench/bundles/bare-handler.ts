/** The least that answers. */
export const handler = async () => ({ statusCode: 200, body: '{}' });
