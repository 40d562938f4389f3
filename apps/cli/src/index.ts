// The public surface of @haft/cli: what an agent.config.ts imports.
export { defineConfig, type AgentConfig } from './config/define-config.js';
