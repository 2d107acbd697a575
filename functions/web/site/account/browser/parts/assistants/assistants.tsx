import { useEffect } from 'preact/hooks';
import { guardWork } from '../../../../../browser/shell/unsaved.ts';
import { assistantTexts as texts } from '../../../assistant-texts.ts';
import { Apps } from './apps.tsx';
import { Connect } from './connect.tsx';
import { forgetToken, isTokenLost } from './new-token.ts';

/** How to connect assistants, and the apps that are connected. */
export const Assistants = () => {
  useEffect(() => {
    const stop = guardWork({
      getName: () => texts.theToken,
      isChanged: () => false,
      isLost: isTokenLost,
      discard: forgetToken,
    });
    return () => {
      stop();
      forgetToken();
    };
  }, []);
  return (
    <div class="assistants">
      <Connect />
      <Apps />
    </div>
  );
};
