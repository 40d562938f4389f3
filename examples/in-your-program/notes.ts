import { type RunResult, createAgent } from '@haft/agent';
import { type ApprovalRequest, Param, PluginHost, Tool, Workspace, createDispatcher, createPolicy, definePlugin } from '@haft/core';
import { offline } from '@haft/offline';
import { MaxLength } from 'class-validator';

@Tool('Write a note into a new file.', { name: 'write_note', scopes: ['write'], destructive: false })
class WriteNote {
  @Param('File to make', { kind: 'path', access: 'write' })
  path!: string;

  @Param('What to write') @MaxLength(10_000)
  text!: string;

  constructor(private readonly workspace: Workspace) {}

  async execute() {
    const { relative } = await this.workspace.write(this.path, [Buffer.from(this.text)], { createOnly: true });
    return `Wrote ${relative}.`;
  }
}

/** One conversation whose files stay in `folder`; `approve` is asked before anything is written. */
export async function takeNotes(prompts: readonly string[], folder: string, approve: (request: ApprovalRequest) => Promise<boolean>): Promise<RunResult[]> {
  const workspace = await Workspace.open({ root: folder });
  const notes = definePlugin({ name: 'notes', tools: [WriteNote] });
  const host = await PluginHost.start({ plugins: [notes()], services: [{ provide: Workspace, useValue: workspace }], root: folder });
  const policy = createPolicy({ rules: [{ source: { kind: 'flag', where: 'notes.ts' }, deny: ['write_note(private/**)'] }] });
  const dispatcher = createDispatcher({ registry: host.registry, workspace, policy });
  const agent = createAgent({ model: offline(), host, dispatcher });
  try {
    const results: RunResult[] = [];
    for (const prompt of prompts) {
      const run = agent.run(prompt);
      let next = await run.next();
      for (; next.done !== true; next = await run.next()) {
        const event = next.value;
        if (event.type !== 'tool_call_approval' || event.answer !== undefined) continue;
        const approved = await approve(event.request);
        await agent.answer(event.callId, approved ? { answer: 'once' } : { answer: 'deny', reason: 'not now' });
      }
      results.push(next.value);
    }
    return results;
  } finally {
    await agent.dispose();
    await host.dispose();
    workspace.close();
  }
}
