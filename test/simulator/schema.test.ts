import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds, schema } from '../../src/framework/vsphere-schema.ts'
import { type SimulatedVCenter, startSimulator } from '../../src/simulator/index.ts'
import { callVim, logIn, ref, retrieve, world } from './client.ts'

describe('the simulator knows every property that checks may ask for', () => {
  let vcenter: SimulatedVCenter
  let token: string
  beforeAll(async () => {
    vcenter = await startSimulator(world)
    token = await logIn(vcenter)
  })
  afterAll(() => vcenter.close())

  it.each(Object.entries(kinds))('%s', async (kind, type) => {
    const pathSet = Object.entries(schema).flatMap(([of, row]) => (of === kind ? Object.keys(row) : []))
    const view = await callVim(vcenter, token, 'ViewManager/ViewManager/CreateContainerView', {
      container: ref('Folder', 'group-d1'),
      type: [type],
      recursive: true,
    })
    const selectSet = [{ _typeName: 'TraversalSpec', type: 'ContainerView', path: 'view' }]
    const reply = await retrieve(vcenter, token, {
      specSet: [{ objectSet: [{ obj: view.json, skip: true, selectSet }], propSet: [{ type, pathSet }] }],
      options: {},
    })
    expect(reply.json).toMatchObject({ _typeName: 'RetrieveResult' })
  })
})
