// The pages of docs/ that are made from the code, so that they cannot say something else.
import { errorCodes } from '../../packages/core/dist/errors.js';

/** @type {Record<string, () => string>} file under docs/ → its text */
export const pages = {
  'errors.md': errorsPage,
};

function errorsPage() {
  const rows = Object.entries(errorCodes).map(
    ([code, { when, remedy, retryable }]) => `| \`${code}\` | ${when} | ${remedy} | ${retryable ? 'yes' : 'no'} |`,
  );
  return [
    '# Codes of a result',
    '',
    'A call that did not succeed has a `code`. Plugins may add codes of their own in the same style. This page is made from',
    '`packages/core/src/errors.ts` by `npm run docs`; a test holds the two equal.',
    '',
    '| code | when | what to do | can succeed unchanged |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
