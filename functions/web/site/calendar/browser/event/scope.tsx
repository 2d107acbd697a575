import '../../../../browser/record-page.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { eventTexts as texts } from './texts.ts';

/** Which events of a recurring one change. */
export type Scope = 'this' | 'all';

/** Asks which events of a recurring one change. Returns `undefined` if the question is dismissed. */
export const askScope = (): Promise<Scope | undefined> =>
  new Promise((resolve) => {
    openDialog((close) => {
      const answer = (scope: Scope | undefined) => {
        close();
        resolve(scope);
      };
      return (
        <Dialog title={texts.which} onClose={() => answer(undefined)}>
          <p class="sub mt0">{texts.whichText}</p>
          <div class="acts">
            <Button kind="ghost" onClick={() => answer(undefined)}>
              {texts.cancel}
            </Button>
            <Button onClick={() => answer('all')}>{texts.allOfThem}</Button>
            <Button kind="primary" autofocus onClick={() => answer('this')}>
              {texts.thisOne}
            </Button>
          </div>
        </Dialog>
      );
    });
  });
