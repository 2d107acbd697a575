import { useMemo } from 'preact/hooks';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { Badge } from '../../../../browser/components/badge.tsx';
import { formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { commonTexts } from '../../../../browser/texts.ts';
import { usersTexts as texts } from '../../texts.ts';
import { RecordList } from './record-list.tsx';

type SignIn = Data<'GET /api/users/{id}/sign-ins'>[number];

const reasons: Readonly<Record<string, string>> = texts.reasons;

/** Says how someone signed in, or why that failed. A reason without a text of its own is shown as it is. */
const describe = ({ method, factor, reason }: SignIn): string => {
  if (reason !== null) return Object.hasOwn(reasons, reason) ? (reasons[reason] ?? reason) : reason;
  const first = texts.signInBy[method];
  return factor === null ? first : texts.signInAnd[factor](first);
};

/** When, from where and how a user signed in lately, or someone tried to. */
export const SignIns = ({ id }: { readonly id: number }) => {
  const source = useMemo(
    () => createSource(() => api.call('GET /api/users/{id}/sign-ins', { params: { id } })),
    [id],
  );
  return (
    <RecordList title={texts.signIns} source={source} none={texts.noSignIns}>
      {(signIn) => (
        <li key={signIn.id}>
          <span class="grow">
            {describe(signIn)}
            <span class="tiny mute blk">
              {texts.signInFrom(
                signIn.device ?? commonTexts.unknownDevice,
                signIn.address,
                formatTime(signIn.at),
              )}
            </span>
          </span>
          {!signIn.succeeded && <Badge kind="bad">{texts.failedSignIn}</Badge>}
        </li>
      )}
    </RecordList>
  );
};
