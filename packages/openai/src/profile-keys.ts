/** The servers that are known by name, and the environment variables that may hold the key of each, in order. None: it needs no key. */
export const profileKeys = {
  openai: ['OPENAI_API_KEY'],
  compatible: ['OPENAI_API_KEY', 'MODEL_API_KEY'],
  ollama: [],
  lmstudio: [],
  llamacpp: [],
  vllm: [],
  deepseek: ['DEEPSEEK_API_KEY'],
  doubao: ['ARK_API_KEY', 'DOUBAO_API_KEY'],
  moonshot: ['MOONSHOT_API_KEY'],
  zhipu: ['ZHIPU_API_KEY', 'ZAI_API_KEY'],
  qwen: ['DASHSCOPE_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
  groq: ['GROQ_API_KEY'],
  xai: ['XAI_API_KEY'],
  together: ['TOGETHER_API_KEY'],
  fireworks: ['FIREWORKS_API_KEY'],
} as const satisfies Record<string, readonly string[]>;

export type ProfileName = keyof typeof profileKeys;
