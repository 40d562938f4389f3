/** Runs inside a sandbox without network: brings a local port to the proxy's socket, then runs the command beside it. */

const PORT = 3128;
const SOCKET_FOLDER = '/run/haft-proxy';

/** The forwarder's program. It ends as the command ends: with its exit code, or by its signal. */
const PROGRAM = `
const net = require('node:net'), { spawn } = require('node:child_process'), { constants } = require('node:os');
const server = net.createServer((socket) => {
  const upstream = net.connect('${SOCKET_FOLDER}/proxy.sock');
  for (const end of [socket, upstream]) end.on('error', () => { socket.destroy(); upstream.destroy(); });
  socket.pipe(upstream).pipe(socket);
});
server.listen(${PORT}, '127.0.0.1', () => {
  const [program, ...args] = process.argv.slice(1);
  const child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', (error) => { console.error(error.message); process.exit(127); });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
});`;

export interface ForwardedCommand {
  argv: string[];
  env: Record<string, string>;
  /** Where the proxy's folder must be visible inside. */
  socketFolder: string;
}

/** `node` is a Node.js that is visible inside. */
export function forwarded(argv: readonly string[], node: string): ForwardedCommand {
  const proxy = `http://127.0.0.1:${PORT}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  return {
    argv: [node, '--max-old-space-size=64', '-e', PROGRAM, '--', ...argv],
    env: { ...Object.fromEntries(names.map((name) => [name, proxy])), NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' },
    socketFolder: SOCKET_FOLDER,
  };
}
