// Run with Node's compile cache switched on: fills it with every module of the service and of the
// packages that they import, and evaluates none.
import { pathToFileURL } from 'node:url';
import { sources } from './compiled-code.mjs';

const imports = sources().map((path) => `import ${JSON.stringify(pathToFileURL(path).href)};`);
// Node loads and compiles a whole graph before it evaluates any of it. What is imported last does
// not exist, which is found between the two: so not even the entries of the roles start.
const source = `${imports.join('\n')}\nimport { nothingOfThisName } from 'node:fs';`;
try {
  await import(`data:text/javascript,${encodeURIComponent(source)}`);
} catch (error) {
  if (!String(error).includes('nothingOfThisName')) throw error;
}
