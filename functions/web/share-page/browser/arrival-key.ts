// The script of what is shown in the place of a share to one who came from another site: both in one, because each file is a request.
import './keep-key.ts';
import '../../layout/browser/arrival.ts';
