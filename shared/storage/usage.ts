import { userKeys } from '../auth/keys.ts';
import { type CountChange, defineCounter, type Guard } from '../counters/counter.ts';
import { getSetting } from '../runtime/settings.ts';
import { storageKeys } from './keys.ts';

/**
 * A user's storage: bytes (`used`), of these those in the trash (`trashed`) and those that people without an account handed
 * in (`submitted`), and complete files without folders (`files`).
 */
export const usage = defineCounter({
  family: storageKeys.usage,
  describe: ({ userId }) => `storage of user ${userId}`,
  owner: ({ userId }) => userKeys.record.at({ id: userId }),
});

/** Creates the condition that what is stored fits into its owner's quota. What takes no bytes fits even if that is used up. */
export const requireQuota = ({
  counter,
  add: { used = 0 },
}: CountChange): Guard<'quota'> | undefined =>
  counter === usage && used > 0
    ? {
        condition: 'attribute_not_exists(#used) OR #used <= :max',
        values: { ':max': getSetting('FILES_QUOTA') - used },
        returnsItem: true,
        refused: 'quota',
      }
    : undefined;
