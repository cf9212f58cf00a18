import { expect, it, onTestFinished } from 'vitest'
import { isSource, kinds, schema } from '../../src/framework/vsphere-schema.ts'
import { startSimulator } from '../../src/simulator/index.ts'
import { callVim, logIn, ref, retrieve, world } from './client.ts'

it('the simulator knows every property that checks may ask for, of every kind it holds', async () => {
  const vcenter = await startSimulator(world)
  onTestFinished(() => vcenter.close())
  const token = await logIn(vcenter)

  const replies = Object.entries(schema).map(async ([kind, row]) => {
    const type = new Map(Object.entries(kinds)).get(kind)
    const body = { container: ref('Folder', 'group-d1'), type: [type], recursive: true }
    const view = await callVim(vcenter, token, 'ViewManager/ViewManager/CreateContainerView', body)
    const selectSet = [{ _typeName: 'TraversalSpec', type: 'ContainerView', path: 'view' }]
    const objectSet = [{ obj: view.json, skip: true, selectSet }]
    const propSet = [{ type, pathSet: Object.keys(row).filter((path) => !isSource(path)) }]
    return { kind, reply: await retrieve(vcenter, token, { specSet: [{ objectSet, propSet }], options: {} }) }
  })
  const answers = await Promise.all(replies)
  expect(answers.filter(({ reply }) => reply.status === 500).map(({ kind, reply }) => [kind, reply.json])).toEqual([])
  const held = answers.filter(({ reply }) => reply.status === 200).map(({ kind }) => kind)
  expect(held).toEqual(expect.arrayContaining(['vm', 'host', 'cluster', 'datacenter']))
})
