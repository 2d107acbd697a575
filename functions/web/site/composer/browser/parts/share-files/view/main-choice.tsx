import { useState } from 'preact/hooks';
import { Button } from '../../../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../../../browser/components/dialog.tsx';
import { shareFilesTexts as texts } from '../../../../share-files-texts.ts';

interface ChoiceProps {
  readonly paths: readonly string[];
  readonly choose: (path: string) => void;
}

const Choice = ({ paths, choose }: ChoiceProps) => {
  const [first = ''] = paths;
  const [chosen, setChosen] = useState(first);
  return (
    <Dialog title={texts.mainPage} onClose={() => choose(first)}>
      <fieldset class="main-choice mt0">
        <legend class="sub">{texts.chooseMain}</legend>
        {paths.map((path) => (
          <label key={path}>
            <input
              type="radio"
              name="main-page"
              checked={path === chosen}
              onChange={() => setChosen(path)}
            />
            <span class="cut">{path}</span>
          </label>
        ))}
      </fieldset>
      <div class="acts">
        <Button kind="primary" onClick={() => choose(chosen)}>
          {texts.choose}
        </Button>
      </div>
    </Dialog>
  );
};

/** Asks which page readers see first. Dismissed, it is the first. */
export const askMain = (paths: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    openDialog((close) => (
      <Choice
        paths={paths}
        choose={(path) => {
          close();
          resolve(path);
        }}
      />
    ));
  });
