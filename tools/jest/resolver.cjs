// In our own sources './x.js' means './x.ts' (NodeNext); everything else resolves as jest does.
const { existsSync } = require('node:fs');
const { join, sep } = require('node:path');

const installed = `${sep}node_modules${sep}`;

module.exports = (request, options) => {
  if (/^\.\.?\/.*\.js$/.test(request) && !options.basedir.includes(installed)) {
    const source = join(options.basedir, request.replace(/\.js$/, '.ts'));
    if (existsSync(source)) return source;
  }
  return options.defaultResolver(request, options);
};
