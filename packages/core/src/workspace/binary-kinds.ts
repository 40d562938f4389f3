/** What a binary file is, by its first bytes. */
const kinds: readonly (readonly [hexPrefix: string, description: string])[] = [
  ['89504e470d0a1a0a', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['474946383761', 'a GIF image'],
  ['474946383961', 'a GIF image'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive (or an Office document, JAR, APK …)'],
  ['1f8b', 'gzip data'],
  ['425a68', 'bzip2 data'],
  ['fd377a585a00', 'xz data'],
  ['28b52ffd', 'Zstandard data'],
  ['377abcaf271c', 'a 7-Zip archive'],
  ['7f454c46', 'an ELF program or library'],
  ['0061736d', 'a WebAssembly module'],
  ['cafebabe', 'a Java class or a Mach-O program'],
  ['cffaedfe', 'a Mach-O program'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
  ['4f676753', 'Ogg media'],
  ['494433', 'MP3 audio'],
  ['664c6143', 'FLAC audio'],
  ['1a45dfa3', 'Matroska or WebM media'],
  ['774f4632', 'a WOFF2 font'],
  ['774f4646', 'a WOFF font'],
  ['d0cf11e0a1b11ae1', 'an old Office document'],
  ['49492a00', 'a TIFF image'],
  ['4d4d002a', 'a TIFF image'],
];

/** Undefined when the bytes begin like none of the kinds known here. */
export function describeBinary(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('hex');
  if (head.startsWith('52494646')) return riffKind(head.slice(16, 24));
  if (head.slice(8, 16) === '66747970') return 'MP4 or HEIF media';
  return kinds.find(([prefix]) => head.startsWith(prefix))?.[1];
}

function riffKind(type: string): string {
  return type === '57454250' ? 'a WebP image' : type === '57415645' ? 'WAV audio' : 'RIFF media';
}
