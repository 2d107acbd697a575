import { signedIn } from '../../../../../browser/shell/session.ts';
import { assistantTexts as texts } from '../../../assistant-texts.ts';
import { countTools } from '../../../tool-counts.ts';
import { isCopied, newToken, tokenForm } from './new-token.ts';
import { Snippet } from './snippet.tsx';
import { places, toCheck, toConfiguration, toExample, toHeader, toMcpAddress } from './snippets.ts';
import { copyTokenId, TokenStep } from './token-step.tsx';

/** Stands for the token before there is one. */
const noToken = 'hb_…';

const getAddress = (): string =>
  document.getElementById('account')?.dataset['address'] ?? location.origin;

const getToken = (): string => newToken.value?.token ?? noToken;

const noteCopy = () => {
  isCopied.value = newToken.value !== undefined;
};

const Places = ({ url }: { readonly url: string }) => (
  <details class="fold">
    <summary class="small">{texts.where}</summary>
    <dl class="places">
      {Object.entries(texts.places).map(([key, [name, what]]) => {
        const snippet = key === 'claude' ? undefined : places[key as keyof typeof places](url);
        return (
          <div key={key}>
            <dt>{name}</dt>
            <dd>
              <p class="hint">{what}</p>
              {snippet !== undefined && (
                <Snippet text={snippet} name={name} isJson={key === 'cursor'} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  </details>
);

/** For apps that open a page here, where the user allows them. */
export const ByAddress = () => {
  const url = toMcpAddress(getAddress());
  return (
    <ol class="steps">
      <li>
        <div>
          <p>{texts.addAddress}</p>
          <Snippet text={url} name={texts.address} />
          <Places url={url} />
        </div>
      </li>
      <li>
        <p>{texts.allow}</p>
      </li>
      <li>
        <p>{texts.ask}</p>
      </li>
    </ol>
  );
};

/** For apps on the user's computer, which start `handbill mcp`. */
export const ByCommand = () => (
  <ol class="steps">
    <li>
      <TokenStep />
    </li>
    <li>
      <div>
        <p>{texts.addConfiguration}</p>
        <Snippet
          isJson
          text={toConfiguration(getAddress(), getToken())}
          name={texts.configuration}
          buttonId={copyTokenId}
          onCopied={noteCopy}
        />
      </div>
    </li>
    <li>
      <div>
        <p>{texts.check}</p>
        <Snippet
          text={toCheck(getAddress(), getToken())}
          name={texts.checkCommand}
          onCopied={noteCopy}
        />
        <p class="hint">
          {texts.checkSays(signedIn?.user.name ?? '', countTools(tokenForm.values.value.preset))}
        </p>
      </div>
    </li>
  </ol>
);

/** For scripts and servers, which send the token themselves. */
export const ByToken = () => (
  <ol class="steps">
    <li>
      <TokenStep />
    </li>
    <li>
      <div>
        <p>{texts.sendHeader}</p>
        <Snippet
          text={toHeader(getToken())}
          name={texts.header}
          buttonId={copyTokenId}
          onCopied={noteCopy}
        />
      </div>
    </li>
    <li>
      <div>
        <p>{texts.tryIt}</p>
        <Snippet
          text={toExample(getAddress(), getToken())}
          name={texts.example}
          onCopied={noteCopy}
        />
        <p class="hint">{texts.listsTools}</p>
      </div>
    </li>
  </ol>
);
