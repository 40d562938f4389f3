/** Pictures of a message or a result, as data that is already here: nothing is loaded from anywhere. */
import { element } from '../dom.js';

export function imageNodes(images: readonly { mediaType: string; data: string }[]): HTMLElement[] {
  return images
    .filter(({ mediaType }) => /^image\/(png|jpeg|gif|webp)$/.test(mediaType))
    .map(({ mediaType, data }) => element('img', { class: 'picture', src: `data:${mediaType};base64,${data}`, alt: '' }));
}
