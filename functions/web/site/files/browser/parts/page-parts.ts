// What the page and its parts that load later share. Each of those parts imports this file, so it is loaded as one.
import '../../../../browser/list-page.ts';
import '../../../../../../shared/text/format-bytes.ts';
import '../../texts.ts';
import '../../view.ts';
import './access.tsx';
import './crumbs.tsx';
import './picture.tsx';
import './state.ts';
