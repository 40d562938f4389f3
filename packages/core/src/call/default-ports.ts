/** What holds where a dispatcher is given less: the default rules, every path outside, no audit, the real clock. */
import { performance } from 'node:perf_hooks';
import { createAccessResolver } from '../permission/access-resolver.js';
import { createPolicy } from '../permission/permission-policy.js';
import type { AccessResolver } from '../permission/ports.js';
import { type CallClock, type CallPorts, type DispatcherOptions, type FullLimits, silentLogger } from './call-ports.js';
import { followAbort } from './abort-hub.js';

const limits: FullLimits = {
  timeoutMs: 120_000,
  maxOutputChars: 30_000,
  maxArgumentChars: 4 * 1024 * 1024,
  maxConcurrency: 64,
  graceMs: 500,
  maxRepeats: Infinity,
};

export function withDefaults(options: DispatcherOptions): CallPorts {
  return {
    ...options,
    policy: options.policy ?? createPolicy({ rules: [] }),
    resolver: options.resolver ?? resolverOf(options),
    withoutWorkspace: options.resolver === undefined && options.workspace === undefined,
    limits: { ...limits, ...options.limits },
    log: options.log ?? silentLogger,
    clock: options.clock ?? realClock,
  };
}

/** Without a workspace nobody can say that a path is inside. */
function resolverOf({ workspace }: DispatcherOptions): AccessResolver {
  return createAccessResolver(workspace ?? { resolve: (path) => Promise.resolve({ absolute: path, relative: path, inside: false }) });
}

export const realClock: CallClock = {
  random: Math.random,
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const finish = () => {
        clearTimeout(timer);
        unfollow();
        resolve();
      };
      const timer = setTimeout(finish, ms);
      const unfollow = followAbort(signal, finish);
    }),
};
