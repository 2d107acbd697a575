import { isUnproven, notProven } from '../../../../browser/client/proof.ts';

/**
 * Sends something. If it is refused until the person proves again who they are, lets them, and sends it again.
 * @throws ApiError, also if they don’t
 */
export const withProof = async <Result>(send: () => Promise<Result>): Promise<Result> => {
  try {
    return await send();
  } catch (error) {
    if (!isUnproven(error)) throw error;
    const { askAtGate } = await import('./gate-dialog.ts');
    if (!(await askAtGate(error))) throw notProven(error);
    return send();
  }
};
