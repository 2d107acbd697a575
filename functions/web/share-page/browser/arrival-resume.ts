// The script of a form that opens a share for one who came from another site: both in one, because each file is a request.
import './resume.ts';
import '../../layout/browser/arrival.ts';
