// The chosen colours, set before the page is drawn, so that it does not flash.
const chosen = localStorage.getItem('theme');
if (chosen) document.documentElement.dataset.theme = chosen;
