/** What lines are read from: a file, or bytes in memory. */
export interface ByteSource {
  /** Bytes, when it was opened. */
  readonly sizeAtOpen: number;
  /** Fills `buffer` from `position` on; returns the count, 0 at the end. */
  read(buffer: Uint8Array, position: number): number;
}

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    sizeAtOpen: bytes.length,
    read: (buffer, position) => {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
  };
}
