/** `workflows()` in the plugins of a config offers the model the tool that runs several calls at once. */
import { definePlugin } from '../plugin/define-plugin.js';
import { workflowTool } from './workflow-tool.js';

export const workflows = definePlugin<object, 'run_steps'>({ name: 'workflows', tools: () => [workflowTool()] });
