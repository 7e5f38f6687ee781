// Finding words in the transcript: all matches are marked, Enter goes from one to the next.
import { byId } from './dom.js';
import { reveal } from './reveal.js';

/**
 * @param {string} given words to begin with; empty for none
 * @param {{ isShown: boolean, goTo: (word: Element) => void }} options whether the first match is
 *   gone to, and what moves the sound to a word
 * @returns {() => void} searches again where another view is shown
 */
export function offerFinding(given, { isShown, goTo }) {
  let ranges = [];
  let at = -1;
  let sought = '';
  const search = () => {
    sought = byId('find-text').value.trim().toLowerCase();
    ranges = sought === '' ? [] : matchesOf(sought);
    at = -1;
    mark('found', ranges);
    mark('found-now', []);
    byId('find-count').textContent = sought === '' ? '' : `${shown(ranges.length)} found`;
  };
  const next = () => {
    if (byId('find-text').value.trim().toLowerCase() !== sought) search();
    if (ranges.length === 0) return;
    at = (at + 1) % ranges.length;
    mark('found-now', [ranges[at]]);
    const { startContainer: node } = ranges[at];
    goTo(node.parentElement);
    reveal(byId('transcript'), node.parentElement, { isInstant: true });
    // The page itself moves only as far as it has to.
    node.parentElement.scrollIntoView({ block: 'nearest' });
    byId('find-count').textContent = `${shown(at + 1)} of ${shown(ranges.length)}`;
  };
  byId('find-text').addEventListener('input', search);
  byId('find').addEventListener('submit', (event) => {
    event.preventDefault();
    next();
  });
  byId('find-text').value = given;
  if (given !== '') {
    search();
    if (isShown) next();
  }
  return search;
}

const shown = (number) => number.toLocaleString('en');

/** Ranges of the transcript's texts, which words divide into many nodes. */
function matchesOf(sought) {
  return [...document.querySelectorAll('#transcript .said')].flatMap((paragraph) => {
    const nodes = textNodes(paragraph);
    const whole = paragraph.textContent.toLowerCase();
    const found = [];
    for (let from = whole.indexOf(sought); from >= 0; from = whole.indexOf(sought, from + 1)) {
      const range = document.createRange();
      range.setStart(...placeOf(nodes, from));
      range.setEnd(...placeOf(nodes, from + sought.length - 1, 1));
      found.push(range);
    }
    return found;
  });
}

function textNodes(place) {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const nodes = [];
  let start = 0;
  while (walker.nextNode()) {
    nodes.push({ node: walker.currentNode, start });
    start += walker.currentNode.length;
  }
  return nodes;
}

function placeOf(nodes, offset, beyond = 0) {
  const { node, start } = nodes.findLast((each) => each.start <= offset);
  return [node, Math.min(node.length, offset - start + beyond)];
}

/** Browsers without highlights still go from match to match. */
function mark(name, ranges) {
  if (typeof Highlight === 'function') CSS.highlights.set(name, new Highlight(...ranges));
}
