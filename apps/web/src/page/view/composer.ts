/** Where the user writes: Enter sends (while the model works, for its next step), Shift+Enter breaks the line, pictures are pasted or attached, Escape stops the run. */
import { button, byId, element } from '../dom.js';
import { words } from '../words.js';
import { imageNodes } from './images.js';

export interface Draft {
  text: string;
  images: { mediaType: string; data: string }[];
}

/** Pixels; a longer message is scrolled. */
const maxHeight = 240;
const maxImageBytes = 5 * 1024 * 1024;

export class Composer {
  readonly #text = byId('text', HTMLTextAreaElement);
  readonly #send = byId('send', HTMLButtonElement);
  readonly #stop = byId('stop', HTMLButtonElement);
  readonly #file = byId('file', HTMLInputElement);
  readonly #images = byId('images', HTMLElement);
  #draft: Draft['images'] = [];
  #isRunning = false;

  constructor(private readonly handlers: { onSend(draft: Draft): void; onStop(): void; onProblem(text: string): void }) {
    this.#text.addEventListener('keydown', (event) => this.#key(event));
    this.#text.addEventListener('input', () => this.#grow());
    this.#text.addEventListener('paste', (event) => this.#takeFiles(event.clipboardData?.files, event));
    byId('composer', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#stop.addEventListener('click', () => this.handlers.onStop());
    byId('attach', HTMLButtonElement).addEventListener('click', () => this.#file.click());
    this.#file.addEventListener('change', () => {
      this.#takeFiles(this.#file.files ?? undefined);
      this.#file.value = '';
    });
  }

  setRunning(isRunning: boolean): void {
    this.#isRunning = isRunning;
    this.#stop.hidden = !isRunning;
    this.#send.hidden = isRunning;
  }

  /** Puts a text back, e.g. one that could not be sent. */
  restore(draft: Draft): void {
    this.#text.value = draft.text;
    this.#draft = draft.images;
    this.#showImages();
    this.#grow();
    this.focus();
  }

  focus(): void {
    this.#text.focus();
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.#isRunning) this.handlers.onStop();
    // While an input method is composing, Enter chooses a candidate.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#submit();
  }

  #submit(): void {
    const text = this.#text.value;
    if (text.trim() === '' && this.#draft.length === 0) return;
    const draft = { text, images: this.#draft };
    this.#text.value = '';
    this.#draft = [];
    this.#showImages();
    this.#grow();
    this.handlers.onSend(draft);
  }

  #takeFiles(files: FileList | undefined, event?: Event): void {
    const pictures = [...(files ?? [])].filter((file) => /^image\/(png|jpeg|gif|webp)$/.test(file.type));
    if (pictures.length > 0) event?.preventDefault();
    for (const picture of pictures) {
      if (picture.size > maxImageBytes) this.handlers.onProblem(words.tooLarge);
      else void readBase64(picture).then((data) => {
        this.#draft.push({ mediaType: picture.type, data });
        this.#showImages();
      });
    }
  }

  #showImages(): void {
    const nodes = this.#draft.map((image, index) => element('div', { class: 'thumb' }, ...imageNodes([image]), button('×', () => {
      this.#draft.splice(index, 1);
      this.#showImages();
    }, { 'aria-label': words.removeImage })));
    this.#images.replaceChildren(...nodes);
  }

  #grow(): void {
    this.#text.style.height = 'auto';
    this.#text.style.height = `${Math.min(this.#text.scrollHeight, maxHeight)}px`;
    this.#text.style.overflowY = this.#text.scrollHeight > maxHeight ? 'auto' : 'hidden';
  }
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^data:[^,]*,/, '') : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(file);
  });
}
