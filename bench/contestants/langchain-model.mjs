// A chat model for LangChain that answers from a function of the turn.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';

export class FakeToolCallingModel extends BaseChatModel {
  turn = 0;

  /** `answer`: (turn, from 0) => AIMessage */
  constructor(answer) {
    super({});
    this.answer = answer;
  }

  _llmType() {
    return 'scripted';
  }

  bindTools() {
    return this;
  }

  async _generate() {
    return { generations: [{ text: '', message: this.answer(this.turn++) }] };
  }
}
