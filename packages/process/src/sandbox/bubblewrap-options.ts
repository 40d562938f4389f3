/** What a bubblewrap sandbox can be told. */

export interface SandboxLimits {
  /** Processes and threads inside. Default 512. */
  processes: number;
  /** Memory: private data of each process, and of all together where a cgroup can be made. Default 4 GiB. */
  memoryBytes: number;
  /** Largest file that may be written. Default 4 GiB. */
  fileBytes: number;
  openFiles: number;
  /** Processor seconds of each process. Default 3,600. */
  cpuSeconds: number;
  /** Size of the private /tmp and of /dev/shm. Default 1 GiB. */
  tmpBytes: number;
}

export interface BubblewrapOptions {
  /** The workspace: absolute; bound writable at the same path. */
  root: string;
  /** More folders to see, read-only, at the same path; e.g. a toolchain outside /usr. */
  readable?: readonly string[];
  writable?: readonly string[];
  /** Inside the workspace: paths that look empty, e.g. where Haft keeps its state. Absolute. */
  hidden?: readonly string[];
  /** Whether a path from the workspace's root usually holds secrets, so that commands do not see what is in it. Default: by its name. */
  isSecret?: (path: string) => boolean;
  limits?: Partial<SandboxLimits>;
  /** Who commits are by, where the repository does not say: the user's own git settings are not visible inside. */
  gitIdentity?: { name: string; email: string };
  /** Hosts that commands may reach through our proxy, e.g. `example.com`, `*.example.org:8443`. Absent or empty: no network at all. */
  hosts?: readonly string[];
  /** Told of every connection that a command asked the proxy for. */
  onRequest?: (target: string, allowed: boolean) => void;
}

export const DEFAULT_LIMITS: SandboxLimits = {
  processes: 512,
  memoryBytes: 4 * 2 ** 30,
  fileBytes: 4 * 2 ** 30,
  openFiles: 8_192,
  cpuSeconds: 3_600,
  tmpBytes: 2 ** 30,
};
