/** A sample plugin of forty tools that uses everything that decorators can say; its golden files show every dialect. */
import type { Class } from '../../../tool/tool.js';
import { Calculator } from './calculator.js';
import * as data from './data.js';
import * as files from './files.js';
import * as network from './network.js';

export const sampleTools: readonly Class[] = [...Object.values<Class>(files), ...Object.values<Class>(network), ...Object.values<Class>(data), Calculator];
