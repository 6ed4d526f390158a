import { describe, expect, test } from 'vitest';
import { FaultList } from '../../shared/magnum/reading/fault-list.ts';
import { chooseVictims, type VictimRequest } from './choose-victims.ts';
import { deletionMark, type NodeMachine } from './node-machine.ts';

function machine(name: string, fields: Partial<NodeMachine> = {}): NodeMachine {
  const common = { uid: `uid-${name}`, resourceVersion: '1', isDeleting: false, annotations: undefined };
  return { ...common, name, nodegroup: 'gpu', serverId: `id-${name}`, ...fields };
}

const marked = { annotations: { [deletionMark]: 'yes' } };
const shrinking = { nodegroup: 'gpu', replicas: 3, nodeCount: 2 };

function choose(request: Partial<VictimRequest> & { nodes: readonly string[] }, machines: readonly NodeMachine[]) {
  const faults = new FaultList();
  const { chosen, competing } = chooseVictims({ ...shrinking, ...request }, machines, faults);
  const outcome = faults.outcome(null);
  return {
    chosen: chosen.map(({ name }) => name),
    competing: competing.map(({ name }) => name),
    messages: 'faults' in outcome ? outcome.faults.map(({ message }) => message) : [],
  };
}

const gpus = ['a', 'b', 'c'].map((name) => machine(name));

describe('nodes to remove are found', () => {
  test.each([
    ['by the id of their server', 'id-a'],
    ['by that in capital letters', 'ID-A'],
    ['with blanks around it', ' id-a '],
    ['by the name of their Machine', 'a'],
  ])('%s', (_title, node) => {
    expect(choose({ nodes: [node] }, gpus)).toEqual({ chosen: ['a'], competing: [], messages: [] });
  });

  test('and what is on its way out already needs no mark, nor does it count', () => {
    const [a, ...others] = gpus;
    const machines = [machine('a', { isDeleting: true }), ...others];
    expect(a).toBeDefined();
    expect(choose({ nodes: ['id-a'], replicas: 2 }, machines)).toEqual({ chosen: [], competing: [], messages: [] });
  });
});

test('nodes that are gone are no fault of a request that was carried out before, under another id', () => {
  const request = { nodes: ['id-z'], replicas: 3, nodeCount: 3 };
  expect(choose(request, gpus)).toEqual({ chosen: [], competing: [], messages: [] });
});

describe('nodes to remove are refused', () => {
  test.each([
    ['that nobody knows', ['id-z'], {}, ['the cluster has no node with the server id "id-z"']],
    ['that have no name', [''], {}, ['the cluster has no node with the server id ""']],
    ['that are named twice', ['id-a', 'a'], {}, ['node "a" is named twice']],
    ['of another nodegroup', ['id-w'], {}, ['node "id-w" belongs to nodegroup default-worker']],
    ['of none', ['id-lost'], {}, ['node "id-lost" belongs to no nodegroup']],
    ['in a resize that adds nodes', ['id-a'], { nodeCount: 4 }, ['from 3 to 4 nodes removes no nodes']],
    ['in one that changes nothing', ['id-a'], { nodeCount: 3 }, ['from 3 to 3 nodes removes no nodes']],
    ['that are more than go', ['id-a', 'id-b'], {}, ['2 are named, but the resize from 3 to 2 nodes removes only 1']],
    [
      'for all these reasons at once',
      ['id-z', 'id-a', 'a', 'id-w', 'id-b'],
      {},
      ['"id-z"', 'named twice', 'belongs to', 'removes only 1'],
    ],
  ])('%s', (_title, nodes, request, words) => {
    const others = [machine('w', { nodegroup: 'default-worker' }), machine('lost', { nodegroup: null })];
    const { messages } = choose({ nodes, ...request }, [...gpus, ...others]);
    expect(messages).toHaveLength(words.length);
    for (const [index, word] of words.entries()) expect(messages[index]).toContain(word);
    for (const message of messages) expect(message).toMatch(/^Field nodes_to_remove: .*\.$/);
  });

  test('when fewer machines are there than the topology says', () => {
    expect(choose({ nodes: ['id-a'], replicas: 5 }, gpus.slice(0, 2)).messages).toHaveLength(1);
  });

  test('by what is there, where the topology says nothing', () => {
    expect(choose({ nodes: ['id-a'], replicas: null }, gpus).messages).toEqual([]);
    expect(choose({ nodes: ['id-a', 'id-b'], replicas: null }, gpus).messages).toHaveLength(1);
  });
});

describe('marks of other machines', () => {
  test('are taken back where those would go in the place of the chosen ones', () => {
    const machines = [machine('a'), machine('b', marked), machine('c')];
    expect(choose({ nodes: ['a'] }, machines)).toMatchObject({ chosen: ['a'], competing: ['b'] });
  });

  test('stay where all marked machines go', () => {
    const machines = [machine('a'), machine('b', marked), machine('c')];
    expect(choose({ nodes: ['a'], nodeCount: 1 }, machines)).toMatchObject({ competing: [] });
    // The resize before, from 3 to 2, has not come to its end.
    expect(choose({ nodes: ['a'], replicas: 2, nodeCount: 1 }, machines)).toMatchObject({
      competing: [],
      messages: [],
    });
  });

  test('stay where no nodes are named, in other nodegroups, and on what is going anyway', () => {
    const other = machine('w', { ...marked, nodegroup: 'default-worker' });
    const machines = [machine('a'), machine('b', { ...marked, isDeleting: true }), machine('c'), machine('d'), other];
    expect(choose({ nodes: ['a'] }, machines)).toMatchObject({ chosen: ['a'], competing: [] });
    expect(choose({ nodes: [] }, [machine('a'), machine('b', marked)])).toMatchObject({ competing: [] });
  });
});
