/** Gives an image to the model only when it is one: by its bytes, whole, and not larger than models take. Never by its name. */
import { ToolFailure, type WorkspaceFile, quotePath } from '@haft/core';
import { type ImageVerdict, checkGif, checkJpeg, checkPng, checkWebp } from './image-formats.js';

/** Bytes; the common limit of the vendors is 5 MB in base64. */
const maxImageBytes = 3_750_000;

export interface ReadImageResult {
  kind: 'image';
  path: string;
  mediaType: string;
  width: number;
  height: number;
  bytes: number;
  /** Base64. */
  data: string;
}

interface ImageFormat {
  mediaType: string;
  begins: (head: Buffer) => boolean;
  check: (bytes: Buffer) => ImageVerdict;
}

const formats: readonly ImageFormat[] = [
  { mediaType: 'image/png', begins: (head) => head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n', check: checkPng },
  { mediaType: 'image/jpeg', begins: (head) => head.toString('hex', 0, 3) === 'ffd8ff', check: checkJpeg },
  { mediaType: 'image/gif', begins: (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)), check: checkGif },
  { mediaType: 'image/webp', begins: (head) => /^RIFF....WEBP/s.test(head.toString('latin1', 0, 12)), check: checkWebp },
];

/** Undefined when the file, by its first bytes, does not begin like an image. Throws `binary_file` for a damaged one, `file_too_large`. */
export function readImage(file: WorkspaceFile, head: Buffer, path: string): ReadImageResult | undefined {
  const format = formats.find(({ begins }) => begins(head));
  if (format === undefined) return undefined;
  const { size } = file;
  if (size > maxImageBytes) throw new ToolFailure('file_too_large', `${quotePath(path)} is an image of ${size} bytes; at most ${maxImageBytes} are shown.`);
  const bytes = file.readAll();
  const verdict = format.check(bytes);
  if (typeof verdict === 'string') throw new ToolFailure('binary_file', `${quotePath(path)} begins like ${format.mediaType}, but ${verdict}; it is not shown.`);
  return { kind: 'image', path, mediaType: format.mediaType, ...verdict, bytes: bytes.length, data: bytes.toString('base64') };
}
