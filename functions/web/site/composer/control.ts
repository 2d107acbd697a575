import { type Html, html } from '../../../../shared/text/html.ts';
import { type OptionName, optionNames, shareOptions } from '../../../api/share/record/options.ts';
import { optionTexts } from '../../browser/option-texts.ts';

/** The compiler asks for a text for each option. */
const labels: Readonly<Record<OptionName, string>> = optionTexts;

const isOption = (name: string): name is OptionName => Object.hasOwn(shareOptions, name);

/** Returns the label of a control, unless it has another one. */
export const getLabel = (name: OptionName): string => labels[name];

/** The options that are on or off. */
export const flagNames = optionNames.filter((name) => shareOptions[name].kind === 'flag');

/**
 * Returns the attributes of the control of a field. `data-kind` tells the script that it is one of an option, and how to
 * read it.
 */
export const toAttributes = (name: string, hasHint = false): Html => {
  const described = [...(hasHint ? [`share-${name}-hint`] : []), `share-${name}-wrong`].join(' ');
  const kind = isOption(name) ? html` data-kind="${shareOptions[name].kind}"` : undefined;
  return html` id="share-${name}" name="${name}" autocomplete="off" aria-describedby="${described}"${kind}`;
};
