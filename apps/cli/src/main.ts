// What `haft` runs.
import { readVersion } from './config/version.js';

process.stdout.write(`${readVersion()}\n`);
