// In our own sources './x.js' means './x.ts' (NodeNext), and 'fast-check' is the seeded one; everything else resolves as jest does.
const { existsSync } = require('node:fs');
const { join, sep } = require('node:path');

const seeded = join(__dirname, 'seeded-fast-check.mjs');
const installed = `${sep}node_modules${sep}`;

module.exports = (request, options) => {
  if (/^\.\.?\/.*\.js$/.test(request) && !options.basedir.includes(installed)) {
    const source = join(options.basedir, request.replace(/\.js$/, '.ts'));
    if (existsSync(source)) return source;
  }
  if (request === 'fast-check' && options.basedir !== __dirname && !options.basedir.includes(installed)) return seeded;
  return options.defaultResolver(request, options);
};
