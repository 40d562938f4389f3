/** A TCP relay on loopback that can be cut and mended, in place of a network. */
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export interface Wire {
  port: number;
  /** Where it leads to. */
  lead(port: number): void;
  /** Drops every connection, and every new one, until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openWire(): Promise<Wire> {
  const sockets = new Set<Socket>();
  let target = 0;
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [[near, far], [far, near]] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    lead: (port) => { target = port; },
    cut: () => {
      isCut = true;
      drop();
    },
    mend: () => { isCut = false; },
    close: async () => {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      drop();
      await ended;
    },
  };
}
