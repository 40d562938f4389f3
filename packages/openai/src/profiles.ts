/** Servers that speak OpenAI's formats, as data: what differs between them is written here and nowhere else. */
import { type IdRule, anyId } from '@haft/agent/adapter';
import { deepseekModels, openaiModels } from './known-models.js';
import { type ProfileName, profileKeys } from './profile-keys.js';

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
    keys: profileKeys.openai,
    maxTokensField: 'max_completion_tokens',
    strictTools: true,
    promptCacheKey: true,
    models: openaiModels,
  },
  compatible: { ...compatible, name: 'compatible', keys: profileKeys.compatible },
  ollama: { ...compatible, name: 'ollama', keys: profileKeys.ollama, baseURL: 'http://127.0.0.1:11434/v1' },
  lmstudio: { ...compatible, name: 'lmstudio', keys: profileKeys.lmstudio, baseURL: 'http://127.0.0.1:1234/v1' },
  llamacpp: { ...compatible, name: 'llamacpp', keys: profileKeys.llamacpp, baseURL: 'http://127.0.0.1:8080/v1' },
  vllm: { ...compatible, name: 'vllm', keys: profileKeys.vllm, baseURL: 'http://127.0.0.1:8000/v1' },
  deepseek: {
    ...compatible,
    name: 'deepseek',
    baseURL: 'https://api.deepseek.com',
    keys: profileKeys.deepseek,
    // Whatever was thought before a tool call is demanded in all later requests; the rest is ignored.
    echoReasoning: { field: 'reasoning_content', turns: 'all' },
    jsonSchemaOutput: false,
    models: deepseekModels,
  },
  doubao: {
    ...compatible,
    name: 'doubao',
    baseURL: 'https://ark.cn-beijing.volces.com/api/v3',
    keys: profileKeys.doubao,
    echoReasoning: { field: 'reasoning_content', turns: 'running' },
  },
  moonshot: {
    ...compatible,
    name: 'moonshot',
    baseURL: 'https://api.moonshot.cn/v1',
    keys: profileKeys.moonshot,
    echoReasoning: { field: 'reasoning_content', turns: 'all' },
  },
  zhipu: { ...compatible, name: 'zhipu', baseURL: 'https://open.bigmodel.cn/api/paas/v4', keys: profileKeys.zhipu, jsonSchemaOutput: false },
  qwen: { ...compatible, name: 'qwen', baseURL: 'https://dashscope.aliyuncs.com/compatible-mode/v1', keys: profileKeys.qwen, jsonSchemaOutput: false },
  openrouter: { ...compatible, name: 'openrouter', baseURL: 'https://openrouter.ai/api/v1', keys: profileKeys.openrouter, opaqueFields: true },
  gemini: { ...compatible, name: 'gemini', baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai', keys: profileKeys.gemini, opaqueFields: true, toolSchemas: 'gemini' },
  mistral: { ...compatible, name: 'mistral', baseURL: 'https://api.mistral.ai/v1', keys: profileKeys.mistral, streamUsage: false, userAfterTool: false, ids: mistralIds },
  groq: { ...compatible, name: 'groq', baseURL: 'https://api.groq.com/openai/v1', keys: profileKeys.groq },
  xai: { ...compatible, name: 'xai', baseURL: 'https://api.x.ai/v1', keys: profileKeys.xai },
  together: { ...compatible, name: 'together', baseURL: 'https://api.together.xyz/v1', keys: profileKeys.together },
  fireworks: { ...compatible, name: 'fireworks', baseURL: 'https://api.fireworks.ai/inference/v1', keys: profileKeys.fireworks },
} as const satisfies Record<ProfileName, Profile>;
