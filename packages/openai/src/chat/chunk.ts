/** A chunk of Chat Completions as servers really send it: nothing in it can be relied on. */
export interface ChatPiece {
  choices?: readonly ChatChoice[] | null;
  usage?: ChatUsage | null;
  /** In the body of a 200, where no stream was asked for. */
  error?: unknown;
}

export interface ChatChoice {
  /** A stream has `delta`, a whole answer `message`; some servers mix them up. */
  delta?: ChatDelta | null;
  message?: ChatDelta | null;
  finish_reason?: string | null;
}

export interface ChatDelta {
  /** Text, or blocks (Mistral: text and thinking). */
  content?: unknown;
  refusal?: string | null;
  /** DeepSeek and most others; `reasoning` at OpenRouter and Groq. */
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: unknown;
  /** Gemini's compatible endpoint: a thought signature of the message. */
  extra_content?: unknown;
  tool_calls?: readonly (ToolCallDelta | null)[] | null;
  /** The form before tools. */
  function_call?: { name?: string | null; arguments?: unknown } | null;
}

export interface ToolCallDelta {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
  custom?: { name?: string | null; input?: unknown } | null;
  /** Gemini's compatible endpoint: thought signatures, which must go back. */
  extra_content?: unknown;
}

export interface ChatUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
  /** DeepSeek. */
  prompt_cache_hit_tokens?: number | null;
}
