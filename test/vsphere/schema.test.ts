import { describe, expect, it } from 'vitest'
import { decoderOf, type Kind } from '../../src/framework/vsphere-schema.ts'

const moRef = (type: string, value: string) => ({ type, value })

describe('properties as VI JSON and SOAP send them', () => {
  it.each<[Kind, string, unknown, unknown]>([
    ['vm', 'name', '007', '007'],
    ['vm', 'config.changeTrackingEnabled', true, true],
    ['vm', 'config.changeTrackingEnabled', 'false', false],
    ['vm', 'runtime.host', moRef('HostSystem', 'host-1'), { kind: 'host', id: 'host-1' }],
    ['vm', 'datastore', [moRef('Datastore', 'datastore-1')], [{ kind: 'datastore', id: 'datastore-1' }]],
    ['vm', 'datastore', moRef('Datastore', 'datastore-1'), [{ kind: 'datastore', id: 'datastore-1' }]],
    [
      'vm',
      'config.extraConfig',
      [{ key: 'Disk.EnableUUID', value: 'TRUE' }, { key: 'x' }],
      new Map([
        ['disk.enableuuid', 'TRUE'],
        ['x', ''],
      ]),
    ],
    ['host', 'parent', moRef('ClusterComputeResource', 'domain-c1'), { kind: 'cluster', id: 'domain-c1' }],
    ['host', 'parent', moRef('ComputeResource', 'domain-s1'), { kind: 'computeResource', id: 'domain-s1' }],
    ['datastore', 'summary.freeSpace', 1_099_511_627_776, 1_099_511_627_776],
    ['datastore', 'summary.freeSpace', '1099511627776', 1_099_511_627_776],
    [
      'datastore',
      'host',
      [
        { key: moRef('HostSystem', 'host-1'), mountInfo: { accessMode: 'readWrite' } },
        {
          key: moRef('HostSystem', 'host-2'),
          mountInfo: { accessMode: 'readOnly', accessible: 'false', mounted: false },
        },
      ],
      [
        { host: { kind: 'host', id: 'host-1' }, accessible: true, mounted: true, accessMode: 'readWrite' },
        { host: { kind: 'host', id: 'host-2' }, accessible: false, mounted: false, accessMode: 'readOnly' },
      ],
    ],
    [
      'cluster',
      'configurationEx',
      { dasConfig: '', drsConfig: { enabled: 'true' } },
      { haEnabled: false, drsEnabled: true, hostGroups: [], vmGroups: [], vmHostRules: [] },
    ],
    [
      'cluster',
      'configurationEx',
      {
        dasConfig: { enabled: true },
        drsConfig: {},
        group: { _typeName: 'ClusterVmGroup', name: 'g', vm: moRef('VirtualMachine', 'vm-1') },
        rule: [
          { _typeName: 'ClusterAffinityRuleInfo', name: 'not ours' },
          {
            _typeName: 'ClusterVmHostRuleInfo',
            name: 'r',
            enabled: 'true',
            mandatory: 'true',
            antiAffineHostGroupName: 'h',
          },
        ],
      },
      {
        haEnabled: true,
        drsEnabled: false,
        hostGroups: [],
        vmGroups: [{ name: 'g', vms: [{ kind: 'vm', id: 'vm-1' }] }],
        vmHostRules: [{ name: 'r', enabled: true, mandatory: true, antiAffineHostGroup: 'h' }],
      },
    ],
  ])('%s %s', (kind, path, raw, expected) => {
    expect(decoderOf(kind, path)?.(raw)).toEqual(expected)
  })

  it.each<[Kind, string, unknown, string]>([
    ['vm', 'name', 7, 'expected text, got number'],
    ['vm', 'config.template', 'maybe', 'expected true or false, got string'],
    ['vm', 'runtime.host', 'host-1', 'expected a reference to HostSystem, got string'],
    ['vm', 'datastore', [null], 'expected a reference to Datastore, got null'],
    [
      'host',
      'parent',
      moRef('Folder', 'group-1'),
      'expected a reference to ClusterComputeResource or ComputeResource, got an object',
    ],
    ['datastore', 'summary.capacity', '1e3', 'expected a number, got string'],
    ['datastore', 'summary.capacity', Number.NaN, 'expected a number, got number'],
    ['datastore', 'host', ['x'], 'expected an object, got string'],
    ['cluster', 'configurationEx', [], 'expected an object, got a list'],
  ])('%s %s: %j is refused', (kind, path, raw, message) => {
    expect(() => decoderOf(kind, path)?.(raw)).toThrow(new TypeError(message))
  })

  it('knows no other properties', () => {
    expect(decoderOf('vm', 'config.nonsense')).toBeUndefined()
    expect(decoderOf('vm', 'toString')).toBeUndefined()
  })
})
