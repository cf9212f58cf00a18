import { expect, it } from 'vitest'
import { defineCheck, unknown } from '../../src/framework/check.ts'
import type { CheckContext } from '../../src/framework/context.ts'
import { aWorld, gist, run, unreadable } from '../support/world.ts'
import { aCheck, fine, sync } from './a-check.ts'

/** A world of two nodes, of which `dark` tells nothing; a third is malformed, and there may be more. */
function world(mayBeMore?: string): CheckContext {
  const whole = aWorld({ nodes: [{ name: 'n1' }, { name: 'dark' }] })
  const seen = whole.kube.nodes.state === 'read' ? whole.kube.nodes.value : []
  return {
    ...whole,
    kube: { ...whole.kube, nodes: unreadable('bad.yaml:4: Node bad is malformed.') },
    nodesInPart: {
      seen,
      malformed: new Map([['bad', 'bad.yaml:4: Node bad is malformed.']]),
      ...(mayBeMore === undefined ? {} : { mayBeMore }),
    },
  }
}

const onNodes = { scope: 'node', needs: {} } as const
const said = async (...[checks, context, spec]: Parameters<typeof run>) =>
  (await run(checks, context, spec)).flatMap(({ results }) =>
    results.map((result) => [gist(result), result.skippedBecause ?? result.unknowns.join()]),
  )

it('each node that was seen is judged, and the one that makes no sense is unknown by its name', async () => {
  expect(await said([fine('tidy', onNodes)], world())).toEqual([
    ['node/n1 pass', ''],
    ['node/dark pass', ''],
    ['node/bad unknown', 'bad.yaml:4: Node bad is malformed.'],
  ])
})

it('that there may be more is said once', async () => {
  const last = (await said([fine('tidy', onNodes)], world('More may be in cut.yaml.'))).at(-1)
  expect(last).toEqual(['cluster/cluster unknown', 'More may be in cut.yaml.'])
})

it('what depends on all nodes stays unknown', async () => {
  const counting = defineCheck({
    id: 'counting',
    title: 'There are enough',
    help: 'Help.',
    scope: 'cluster',
    severity: 'error',
    needs: { kube: ['nodes'] },
    run: () => [],
  })
  expect(await said([counting], world())).toEqual([['cluster/cluster unknown', 'bad.yaml:4: Node bad is malformed.']])
})

it('nodes that may exist explain nothing about those that do, but what cannot be seen of themselves', async () => {
  const dark = sync(({ node }: { readonly node: { readonly name: string } }) =>
    node.name === 'dark' ? unknown('It may not be read.') : undefined,
  )
  const root = fine('root', onNodes)
  const leaf = aCheck(
    'leaf',
    function* (context: never) {
      for (const observation of dark(context)) if (observation !== undefined) yield observation
    },
    { ...onNodes, dependsOn: ['root'] },
  )
  expect((await said([root, leaf], world('More may be in cut.yaml.'))).slice(4)).toEqual([
    ['node/n1 pass', ''],
    ['node/dark unknown', 'It may not be read.'],
    ['node/bad skip', 'Waits for root on node/bad, which is unknown.'],
    ['cluster/cluster skip', 'Waits for root on cluster/cluster, which is unknown.'],
  ])
})

it('a check that is not due keeps its word on nodes that may be among those out of sight', async () => {
  const tidy = fine('tidy', onNodes)
  const whole = aWorld({ nodes: [{ name: 'n1' }, { name: 'gone' }] })
  const previous = new Map((await run([tidy], whole)).map((last) => [last.check, last]))
  const later = (mayBeMore?: string) => said([tidy], world(mayBeMore), { due: new Set(), previous })
  expect(await later('More may be in cut.yaml.')).toEqual([
    ['node/n1 pass', ''],
    ['node/gone pass', ''],
  ])
  expect(await later()).toEqual([['node/n1 pass', '']])
})
