// The choice of colours: as the device, light, dark.
import { byId } from './dom.js';

const themes = [
  { name: '', label: 'as the device', sign: '◐' },
  { name: 'light', label: 'light', sign: '☀' },
  { name: 'dark', label: 'dark', sign: '☾' },
];

const chosen = () => themes.findIndex(({ name }) => name === (localStorage.getItem('theme') ?? ''));

function show() {
  const theme = themes[chosen()] ?? themes[0];
  if (theme.name) document.documentElement.dataset.theme = theme.name;
  else delete document.documentElement.dataset.theme;
  byId('theme').textContent = theme.sign;
  byId('theme').setAttribute('aria-label', `Colours: ${theme.label}`);
}

export function offerThemes() {
  byId('theme').addEventListener('click', () => {
    localStorage.setItem('theme', themes[(chosen() + 1) % themes.length].name);
    show();
  });
  show();
}
