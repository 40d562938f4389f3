/** Events and items of Responses as servers really send them. */
export interface ResponsesEvent {
  type?: string;
  /** A whole response: of the terminal event, or the body of an answer that is not streamed. */
  response?: ResponseBody | null;
  item?: OutputItem | null;
  output_index?: number;
  delta?: unknown;
  /** Of `error` events. */
  code?: string | null;
  message?: string | null;
}

export interface ResponseBody {
  object?: string;
  status?: string | null;
  output?: readonly OutputItem[] | null;
  usage?: ResponsesUsage | null;
  error?: ResponseError | null;
  incomplete_details?: { reason?: string | null } | null;
}

export interface ResponseError {
  code?: string | null;
  type?: string | null;
  message?: string | null;
}

export interface OutputItem {
  type?: string;
  id?: string | null;
  /** Messages: text and refusal parts. Reasoning of local servers: the text itself. */
  content?: readonly { type?: string; text?: string | null; refusal?: string | null }[] | null;
  phase?: string | null;
  call_id?: string | null;
  name?: string | null;
  arguments?: unknown;
  /** Free text of a custom tool call. */
  input?: unknown;
  summary?: readonly { text?: string | null }[] | null;
  encrypted_content?: string | null;
}

export interface ResponsesUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  input_tokens_details?: { cached_tokens?: number | null } | null;
  output_tokens_details?: { reasoning_tokens?: number | null } | null;
}
