// What else reads a streamed answer to its text: the SDKs' own streams and helpers, and the frameworks above them.
const messages = [{ role: 'user', content: 'go' }];

/** contestant → () => the text of one answer; `url` is the server's address. */
export async function openaiStreams(url) {
  const { default: OpenAI } = await import('openai');
  const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1` });
  return {
    'openai create()': () => collect(client.chat.completions.create({ model: 'm', messages, stream: true }), (part) => part.choices[0]?.delta.content),
    'openai .stream()': () => client.chat.completions.stream({ model: 'm', messages }).finalContent(),
    'openai agents': await agents(client),
    'ai-sdk': await aiSdk('openai', `${url}/v1`),
    langchain: await langchain(url),
  };
}

export async function anthropicStreams(url) {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({ apiKey: 'none', baseURL: url });
  const request = { model: 'm', max_tokens: 100, messages };
  return {
    'anthropic create()': () => collect(client.messages.create({ ...request, stream: true }), (part) => part.delta?.text),
    'anthropic .stream()': () => client.messages.stream(request).finalText(),
    'anthropic runner': () => runnerText(client, request),
    'ai-sdk': await aiSdk('anthropic', `${url}/v1`),
  };
}

async function collect(starting, textOf) {
  let text = '';
  for await (const part of await starting) text += textOf(part) ?? '';
  return text;
}

async function runnerText(client, request) {
  let text = '';
  for await (const stream of client.beta.messages.toolRunner({ ...request, tools: [], stream: true, thread: false })) text += await collect(stream, (event) => event.delta?.text);
  return text;
}

async function aiSdk(vendor, baseURL) {
  const { streamText } = await import('ai');
  const { createOpenAI } = await import('@ai-sdk/openai');
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  const model = vendor === 'openai' ? createOpenAI({ apiKey: 'none', baseURL }).chat('m') : createAnthropic({ apiKey: 'none', baseURL })('m');
  return () => collect(streamText({ model, prompt: 'go', maxOutputTokens: 100 }).textStream, (text) => text);
}

async function agents(client) {
  const { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled } = await import('@openai/agents');
  setTracingDisabled(true);
  const agent = new Agent({ name: 'bench', model: new OpenAIChatCompletionsModel(client, 'm') });
  return async () => collect((await run(agent, 'go', { stream: true })).toTextStream(), (text) => text);
}

async function langchain(url) {
  const { ChatOpenAI } = await import('@langchain/openai');
  const model = new ChatOpenAI({ model: 'm', apiKey: 'none', configuration: { baseURL: `${url}/v1` } });
  return () => collect(model.stream('go'), (part) => part.content);
}
