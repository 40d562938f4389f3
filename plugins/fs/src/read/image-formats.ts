/**
 * Checks of the image formats that models take: each walks the whole file and gives its size in pixels, or says what is wrong. PNG data is
 * decompressed and measured; of the others the structure is followed to its end.
 */
import { crc32, inflateSync } from 'node:zlib';

export interface ImageSize {
  width: number;
  height: number;
}

/** A size, or why the bytes are no whole image. */
export type ImageVerdict = ImageSize | string;

const maxPixels = 100_000_000;

export function checkPng(bytes: Buffer): ImageVerdict {
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return 'it is cut short';
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return `the checksum of its ${type} part is wrong`;
    if (type === 'IHDR') header = bytes.subarray(at + 8, end);
    if (type === 'IDAT') data.push(bytes.subarray(at + 8, end));
    if (type === 'IEND') return header === undefined ? 'it has no header' : checkPngData(header, Buffer.concat(data));
    at = end + 4;
  }
  return 'it is cut short';
}

const pngChannels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function checkPngData(header: Buffer, data: Buffer): ImageVerdict {
  if (header.length !== 13) return 'its header is damaged';
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = pngChannels[header[9] ?? -1];
  if (width === 0 || height === 0 || channels === undefined) return 'its header is damaged';
  if (width * height > maxPixels) return 'it has too many pixels';
  const bits = channels * (header[8] ?? 0);
  // An interlaced image has a few bytes more: seven passes with their own rows.
  const least = height * (1 + Math.ceil((width * bits) / 8));
  try {
    const { length } = inflateSync(data, { maxOutputLength: least + 16 * (height + 64) });
    return length < least ? 'its data is cut short' : { width, height };
  } catch {
    return 'its data cannot be decompressed';
  }
}

export function checkGif(bytes: Buffer): ImageVerdict {
  if (bytes.length < 13) return 'it is cut short';
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let at = 13 + colourTable(bytes[10] ?? 0);
  for (let frames = 0; at < bytes.length; ) {
    const kind = bytes[at];
    if (kind === 0x3b) return frames > 0 && size.width > 0 && size.height > 0 ? size : 'it holds no picture';
    if (kind === 0x21) at = skipSubBlocks(bytes, at + 2);
    else if (kind === 0x2c) {
      at = skipSubBlocks(bytes, at + 11 + colourTable(bytes[at + 9] ?? 0));
      frames++;
    } else return 'its structure is damaged';
  }
  return 'it is cut short';
}

function colourTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function skipSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes[at]; length !== undefined && length > 0; length = bytes[at]) at += length + 1;
  return at + 1;
}

export function checkJpeg(bytes: Buffer): ImageVerdict {
  let size: ImageSize | undefined;
  let scans = 0;
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return 'its structure is damaged';
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker === 0xd9) return size !== undefined && scans > 0 ? size : 'it holds no picture';
    else {
      if (at + 4 > bytes.length) return 'it is cut short';
      const length = bytes.readUInt16BE(at + 2);
      if (isFrame(marker) && at + 9 <= bytes.length) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
      at += 2 + length;
      if (marker === 0xda) {
        at = endOfScan(bytes, at);
        scans++;
      }
    }
  }
  return 'it is cut short';
}

/** Baseline, extended and progressive with Huffman codes; decoders lack the other kinds. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xc2;
}

/** The next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

export function checkWebp(bytes: Buffer): ImageVerdict {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return 'it is cut short';
  let size: ImageSize | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (body.length < length) return 'it is cut short';
    if (type === 'VP8X' && length >= 10) size = { width: 1 + body.readUIntLE(4, 3), height: 1 + body.readUIntLE(7, 3) };
    if (type === 'VP8 ' || type === 'VP8L' || type === 'ANMF') return size ?? frameSize(type, body);
    at += 8 + length + (length % 2);
  }
  return 'it holds no picture';
}

function frameSize(type: string, body: Buffer): ImageVerdict {
  if (type === 'VP8 ' && body.length >= 10 && body.toString('hex', 3, 6) === '9d012a') {
    return { width: body.readUInt16LE(6) & 0x3fff, height: body.readUInt16LE(8) & 0x3fff };
  }
  if (type === 'VP8L' && body.length >= 5 && body[0] === 0x2f) {
    const bits = body.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return 'its data is damaged';
}
