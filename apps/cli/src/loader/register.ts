// `node --import @haft/cli/register …`: runs TypeScript with decorators and their metadata, as `haft` itself loads it; also under `node --test`.
import { installHooks } from './install-hooks.js';

installHooks();
