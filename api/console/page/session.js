// Who is signed in: the key of this tab or, by choice, of this device. It is sent as a header alone.
import { at, button, byId, h, say } from './dom.js';
import { createService, passing } from './service.js';
import { offerThemes } from './themes.js';

const name = 'key';
const storedKey = () => sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? '';

offerThemes();

/** Menus close as they do everywhere: by Escape, and by a click beside them. */
document.addEventListener('keydown', ({ key }) => {
  const open = key === 'Escape' ? document.querySelector('.menu[open]') : null;
  if (!open) return;
  open.open = false;
  open.querySelector('summary').focus();
});
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('.menu[open]')) {
    if (!menu.contains(target)) menu.open = false;
  }
});

function show(isSignedIn) {
  byId('sign-in').hidden = isSignedIn;
  byId('content').hidden = !isSignedIn;
  byId('sign-out').hidden = !isSignedIn;
}

function showFailure({ message, status }) {
  const isPassing = passing.has(status);
  byId('content').replaceChildren(
    h(
      'div',
      { class: 'card empty' },
      h('h1', {}, isPassing ? 'The page could not be loaded' : 'There is nothing to show'),
      h('p', {}, message),
      isPassing
        ? button('Try again', () => location.reload(), { class: 'primary' })
        : h('a', { class: 'button', href: at('console/recordings') }, 'All recordings'),
    ),
  );
}

function forget() {
  sessionStorage.removeItem(name);
  localStorage.removeItem(name);
}

/**
 * Fills the page once somebody is signed in. What is clicked before its data and handlers are there
 * would be lost: until `fill` resolves or calls `ready`, the page takes no clicks.
 * @param {(service: ReturnType<typeof createService>, ready: () => void) => Promise<void>} fill
 */
export function whenSignedIn(fill) {
  const expired = () => {
    forget();
    show(false);
    byId('sign-in-error').textContent = 'The key is not accepted any more; sign in again.';
  };
  const ready = () => {
    byId('content').inert = false;
    // Seen in the browser's own tools and by `npm run screenshots`, which prints it.
    performance.mark('interactive');
  };
  const enter = async () => {
    byId('content').inert = true;
    show(true);
    try {
      await fill(createService(storedKey, expired), ready);
    } catch (error) {
      // Buttons of a page without its data would do nothing.
      if (error.status !== 401 && byId('content').inert) showFailure(error);
      else say(error.message, true);
    }
    ready();
  };
  // Signing out in one tab is signing out on the device.
  window.addEventListener('storage', () => {
    if (storedKey() === '' && !byId('content').hidden) location.reload();
  });
  byId('sign-out').addEventListener('click', () => {
    forget();
    location.reload();
  });
  byId('sign-in-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const typed = byId('key').value.trim();
    try {
      await createService(
        () => typed,
        () => {},
      ).overview(1);
    } catch (error) {
      byId('sign-in-error').textContent = error.message;
      byId('key').focus();
      return;
    }
    byId('key').value = '';
    (byId('remember').checked ? localStorage : sessionStorage).setItem(name, typed);
    // A page that was filled before its key ended would have every handler twice.
    location.reload();
  });
  if (storedKey() !== '') return void enter();
  show(false);
  byId('key').focus();
}
