/** Events and blocks of Messages as endpoints really send them. */
export interface MessagesEvent {
  /** Of the stream's events, or `message`: a whole answer. */
  type?: string;
  message?: { usage?: MessagesUsage | null } | null;
  index?: number;
  content_block?: Block | null;
  delta?: BlockDelta | null;
  usage?: MessagesUsage | null;
  /** Of a whole answer. */
  content?: readonly Block[] | null;
  stop_reason?: string | null;
  /** Of `error`, in the body of a 200. */
  error?: unknown;
}

export interface Block {
  type?: string;
  text?: string | null;
  thinking?: string | null;
  signature?: string | null;
  id?: string | null;
  name?: string | null;
  input?: unknown;
  caller?: unknown;
  citations?: readonly unknown[] | null;
}

export interface BlockDelta {
  type?: string;
  text?: string | null;
  thinking?: string | null;
  signature?: string | null;
  partial_json?: string | null;
  citation?: unknown;
  /** Of `message_delta`. */
  stop_reason?: string | null;
}

export interface MessagesUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
}
