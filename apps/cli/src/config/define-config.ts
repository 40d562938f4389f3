// The typed form of agent.config.ts.

/** What an agent.config.ts exports by default. */
export interface AgentConfig {
  /** Display name of the agent. */
  name?: string;
}

/** Gives an agent.config.ts its types; returns the configuration as it is. */
export function defineConfig(config: AgentConfig): AgentConfig {
  return config;
}
