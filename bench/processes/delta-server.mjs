// A model on loopback that answers every request with 500 deltas, in OpenAI's or Anthropic's format. Prints its port. Ends with its parent.
import { createServer } from 'node:http';

const count = 500;
const event = (data, name) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
const word = (index) => `word${index} `;

const chunk = (delta, finish = null) => ({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] });
const openai = [event(chunk({ role: 'assistant', content: '' })), ...Array.from({ length: count }, (_, index) => event(chunk({ content: word(index) }))), event(chunk({}, 'stop')), 'data: [DONE]\n\n'].join('');

const start = { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } };
const anthropic = [
  event(start, 'message_start'),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'content_block_start'),
  ...Array.from({ length: count }, (_, index) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word(index) } }, 'content_block_delta')),
  event({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } }, 'message_delta'),
  event({ type: 'message_stop' }, 'message_stop'),
].join('');

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(request.url.includes('messages') ? anthropic : openai);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
