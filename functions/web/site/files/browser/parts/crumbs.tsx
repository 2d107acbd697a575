import type { ComponentChildren } from 'preact';
import { filesTexts as texts } from '../../texts.ts';
import { listFolders } from '../../view.ts';

interface CrumbsProps {
  readonly label: string;
  /** The path of the last folder, which is no link. */
  readonly folder: string;
  /** Renders the step to a folder. */
  readonly children: (step: { readonly name: string; readonly path: string }) => ComponentChildren;
}

/** The folders that lead to one. */
export const Crumbs = ({ label, folder, children }: CrumbsProps) => {
  const steps = [{ name: texts.shows.folders, path: '' }, ...listFolders(folder)];
  return (
    <nav class="crumbs" aria-label={label}>
      <ol>
        {steps.map((step, at) => (
          <li key={step.path}>
            {at < steps.length - 1 ? (
              children(step)
            ) : (
              <span aria-current="page" dir="auto">
                {step.name}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
};
