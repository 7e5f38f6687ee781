// An address of the console at which there is no page.
import { whenSignedIn } from './session.js';

whenSignedIn(() => {
  throw new Error('The console has no page at this address.');
});
