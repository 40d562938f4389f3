/** The offline stand-in for a model. */
export { offline } from './offline-adapter.js';
