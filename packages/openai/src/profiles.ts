/** Servers that speak OpenAI's formats, as data: what differs between them is written here and nowhere else. */
import { type IdRule, anyId } from '@haft/agent/adapter';
import { deepseekModels, openaiModels } from './known-models.js';

export interface Profile {
  readonly name: string;
  /** Without it the caller must give one. */
  readonly baseURL?: string;
  /** Environment variables that may hold the key, in order. Empty: the server needs no key. */
  readonly keys: readonly string[];
  readonly api: 'chat' | 'responses';
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens';
  /** The field of an assistant message in which the model's reasoning must go back, and for which turns: the running one, or all. */
  readonly echoReasoning?: { readonly field: string; readonly turns: 'running' | 'all' };
  /** Whether opaque fields of the model's message (`reasoning_details`, `extra_content`) go back as they came. */
  readonly opaqueFields: boolean;
  /** Whether `stream_options.include_usage` is understood. */
  readonly streamUsage: boolean;
  /** The subset of JSON Schema in which tools are described. */
  readonly toolSchemas: 'canonical' | 'gemini';
  /** Whether tools marked strict may be sent with `strict: true`. */
  readonly strictTools: boolean;
  /** Whether `response_format: json_schema` is understood. */
  readonly jsonSchemaOutput: boolean;
  /** Whether `prompt_cache_key` is understood. */
  readonly promptCacheKey: boolean;
  /** Whether the user may speak right after a tool's result; where not, a word of the assistant is put between. */
  readonly userAfterTool: boolean;
  readonly ids: IdRule;
  /** Names to suggest where one is not known. */
  readonly models?: readonly string[];
}

const compatible = {
  api: 'chat',
  keys: [],
  maxTokensField: 'max_tokens',
  opaqueFields: false,
  streamUsage: true,
  toolSchemas: 'canonical',
  strictTools: false,
  jsonSchemaOutput: true,
  promptCacheKey: false,
  userAfterTool: true,
  ids: anyId,
} as const satisfies Partial<Profile>;

/** Mistral takes only ids of nine letters and digits. */
const mistralIds: IdRule = { pattern: /^[a-zA-Z0-9]{9}$/, mint: (hash) => hash.slice(-9) };

export const profiles = {
  openai: {
    ...compatible,
    name: 'openai',
    baseURL: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
    maxTokensField: 'max_completion_tokens',
    strictTools: true,
    promptCacheKey: true,
    models: openaiModels,
  },
  compatible: { ...compatible, name: 'compatible', keys: ['OPENAI_API_KEY', 'MODEL_API_KEY'] },
  ollama: { ...compatible, name: 'ollama', baseURL: 'http://127.0.0.1:11434/v1' },
  lmstudio: { ...compatible, name: 'lmstudio', baseURL: 'http://127.0.0.1:1234/v1' },
  llamacpp: { ...compatible, name: 'llamacpp', baseURL: 'http://127.0.0.1:8080/v1' },
  vllm: { ...compatible, name: 'vllm', baseURL: 'http://127.0.0.1:8000/v1' },
  deepseek: {
    ...compatible,
    name: 'deepseek',
    baseURL: 'https://api.deepseek.com',
    keys: ['DEEPSEEK_API_KEY'],
    // Whatever was thought before a tool call is demanded in all later requests; the rest is ignored.
    echoReasoning: { field: 'reasoning_content', turns: 'all' },
    jsonSchemaOutput: false,
    models: deepseekModels,
  },
  doubao: {
    ...compatible,
    name: 'doubao',
    baseURL: 'https://ark.cn-beijing.volces.com/api/v3',
    keys: ['ARK_API_KEY', 'DOUBAO_API_KEY'],
    echoReasoning: { field: 'reasoning_content', turns: 'running' },
  },
  moonshot: {
    ...compatible,
    name: 'moonshot',
    baseURL: 'https://api.moonshot.cn/v1',
    keys: ['MOONSHOT_API_KEY'],
    echoReasoning: { field: 'reasoning_content', turns: 'all' },
  },
  zhipu: { ...compatible, name: 'zhipu', baseURL: 'https://open.bigmodel.cn/api/paas/v4', keys: ['ZHIPU_API_KEY', 'ZAI_API_KEY'], jsonSchemaOutput: false },
  qwen: { ...compatible, name: 'qwen', baseURL: 'https://dashscope.aliyuncs.com/compatible-mode/v1', keys: ['DASHSCOPE_API_KEY'], jsonSchemaOutput: false },
  openrouter: { ...compatible, name: 'openrouter', baseURL: 'https://openrouter.ai/api/v1', keys: ['OPENROUTER_API_KEY'], opaqueFields: true },
  gemini: { ...compatible, name: 'gemini', baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai', keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], opaqueFields: true, toolSchemas: 'gemini' },
  mistral: { ...compatible, name: 'mistral', baseURL: 'https://api.mistral.ai/v1', keys: ['MISTRAL_API_KEY'], streamUsage: false, userAfterTool: false, ids: mistralIds },
  groq: { ...compatible, name: 'groq', baseURL: 'https://api.groq.com/openai/v1', keys: ['GROQ_API_KEY'] },
  xai: { ...compatible, name: 'xai', baseURL: 'https://api.x.ai/v1', keys: ['XAI_API_KEY'] },
  together: { ...compatible, name: 'together', baseURL: 'https://api.together.xyz/v1', keys: ['TOGETHER_API_KEY'] },
  fireworks: { ...compatible, name: 'fireworks', baseURL: 'https://api.fireworks.ai/inference/v1', keys: ['FIREWORKS_API_KEY'] },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;
