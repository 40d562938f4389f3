/** Images before a model that cannot read them: a text that names each stands in its place, so that a conversation goes on whichever model it is given. */
import type { ContentPart } from '@haft/core';
import type { AssistantMessage, Message } from '../messages.js';
import { ModelError } from '../model-adapter.js';

/** How services say that a model reads no images. Not how they refuse one image: for its size, its format, or because it is broken. */
const BLIND = new RegExp([
  String.raw`\bimage(s|_url| inputs?)? (is|are) (not (supported|enabled)|unsupported|only supported)\b`,
  String.raw`(not|n't) support (images?|image input|vision|multi-?modal)\b`,
  String.raw`\bnot an? (vision|multi-?modal)\b`,
  String.raw`\bsupport(s|ing)? image input\b`,
  String.raw`\brequired for image input\b`,
  String.raw`\bat most 0 image`,
  String.raw`unknown variant .?image`,
  String.raw`\bcontent must be a string\b`,
].join('|'), 'i');

type Seen = Exclude<Message, AssistantMessage>;

const inWords = new WeakMap<Message, Message>();

export class Vision {
  /** `reads`: whether the model reads images; true as long as nothing is known. */
  constructor(private reads: boolean) {}

  /** The messages as the model can read them; those without an image are the same objects. */
  readable(messages: readonly Message[]): readonly Message[] {
    return this.reads || !messages.some(hasImage) ? messages : messages.map((message) => (hasImage(message) ? wordsFor(message) : message));
  }

  /** A service that says that the model reads no images is believed: the failure may be tried again, and goes without them then. */
  learn(failure: ModelError, sent: readonly Message[]): ModelError {
    if (!this.reads || !BLIND.test(failure.message) || !sent.some(hasImage)) return failure;
    this.reads = false;
    const { code, message, provider, status } = failure;
    return new ModelError(code, message, { provider, retryable: true, cause: failure, ...(status === undefined ? {} : { status }) });
  }
}

function hasImage(message: Message): message is Seen {
  return message.role !== 'assistant' && message.content.some((part) => part.type === 'image');
}

/** The same message for each request, so that its wire form is kept. */
function wordsFor(message: Seen): Message {
  const known = inWords.get(message);
  if (known !== undefined) return known;
  const from = message.role === 'tool' ? `returned by ${message.tool}` : 'sent by the user';
  const content = message.content.map((part): ContentPart => (part.type === 'image' ? { type: 'text', text: note(part, from) } : part));
  const words = { ...message, content };
  inWords.set(message, words);
  return words;
}

function note({ mediaType, data }: ContentPart & { type: 'image' }, from: string): string {
  return `[An image (${mediaType}, ${Math.ceil((data.length * 3) / 4 / 1024)} KB) ${from} is left out here: this model cannot read images.]`;
}
