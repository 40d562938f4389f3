// Every place of a typed resource is seen by the policy, whatever collection holds it; what could not be seen is refused at definition.
import { expect, test } from '@jest/globals';
import { createDispatcher, type CanonicalAccess, type PermissionPolicy } from '../index.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { noServices } from '../testing/fake-tool.js';
import { Param, record, tool, tuple, type Class, type ToolDefinition } from '../index.js';

class Part {
  @Param({ kind: 'path', access: 'read' }) from!: string;
  @Param({ kind: 'path', access: 'write', optional: true }) to?: string;
}
class Link {
  @Param() kind: string = 'link';
  @Param({ kind: 'url' }) url!: URL;
}
class File {
  @Param() kind: string = 'file';
  @Param({ kind: 'path', access: 'write' }) path!: string;
}
class Places {
  @Param({ kind: 'path', access: 'read' }) one: string = 'default.txt';
  @Param({ kind: 'path', access: 'read', type: () => String, optional: true }) list?: string[];
  @Param({ kind: 'path', access: 'read', type: () => String, optional: true }) set?: Set<string>;
  @Param({ kind: 'path', access: 'read', type: () => String, optional: true }) map?: Map<string, string>;
  @Param({ kind: 'path', access: 'read', type: () => record(String), optional: true }) record?: Record<string, string>;
  @Param({ kind: 'path', access: 'read', type: () => tuple(String, String), optional: true }) pair?: [string, string];
  @Param({ type: () => Part, optional: true }) parts?: Part[];
  @Param({ oneOf: () => [Link, File], discriminator: 'kind', optional: true }) target?: Link | File;
  @Param({ kind: 'url', type: () => URL, optional: true }) urls?: URL[];
}

function toolOf(parameters: Class<object>): ToolDefinition {
  return tool({ name: 'places', description: 'Touches places.', scopes: ['write'], parameters }, () => 'done');
}

async function accessesOf(args: object): Promise<string[]> {
  let seen: readonly CanonicalAccess[] = [];
  const policy: PermissionPolicy = {
    decide: ({ accesses }) => {
      seen = accesses;
      return { verdict: 'allow', reasons: [{ verdict: 'allow', rule: 'test', source: { kind: 'flag', where: 'test' } }] };
    },
  };
  const registry = new ToolRegistry();
  registry.register(toolOf(Places), 'test');
  const resolver = { resolve: (access: { kind: CanonicalAccess['kind']; mode: CanonicalAccess['mode']; value: string }) => Promise.resolve([{ ...access, resource: access.value }]) };
  const result = await createDispatcher({ registry, policy, resolver }).dispatch({ id: 'c1', name: 'places', arguments: JSON.stringify(args) }, { sessionId: 's1', signal: new AbortController().signal, services: noServices });
  expect(result).toMatchObject({ status: 'success' });
  return seen.map(({ kind, mode, resource }) => `${mode} ${kind} ${resource}`);
}

test('a default is a place that the call touches', async () => {
  expect(await accessesOf({})).toEqual(['read path default.txt']);
});

test('arrays, sets, maps, records, tuples, classes, tagged unions and URLs', async () => {
  const seen = await accessesOf({
    one: 'a', list: ['b', 'c'], set: ['d', 'e'], map: { x: 'f' }, record: { y: 'g' }, pair: ['h', 'i'], parts: [{ from: 'j' }, { from: 'k', to: 'l' }], target: { kind: 'file', path: 'm' }, urls: ['https://example.org/n'],
  });
  expect(seen).toEqual([
    'read path a', 'read path b', 'read path c', 'read path d', 'read path e', 'read path f', 'read path g', 'read path h', 'read path i', 'read path j', 'read path k', 'write path l', 'write path m', 'write url https://example.org/n',
  ]);
  expect(await accessesOf({ target: { kind: 'link', url: 'https://example.org/' } })).toContain('write url https://example.org/');
});

test('a mark anywhere in a circle of classes is refused: its places have no end', () => {
  class Inner {
    @Param({ sensitive: true }) token!: string;
    @Param({ type: () => Outer, optional: true }) outer?: object;
  }
  class Outer {
    @Param({ optional: true }) inner?: Inner;
  }
  class Root {
    @Param() outer!: Outer;
  }
  expect(() => toolOf(Root)).toThrow(/Inner\.token is marked with "kind" or "sensitive" inside a class that contains itself/);
});
