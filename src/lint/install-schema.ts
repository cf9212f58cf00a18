import { z } from 'zod'
import { withoutLogin } from '../address.ts'
import { list } from '../cluster/manifest-parts.ts'

const text = z.string().nullish()

const server = z.string().transform(withoutLogin).nullish()

const vcenter = z.object({
  server: z.string().transform(withoutLogin),
  port: z.number().int().nullish(),
  user: text,
  password: text,
  datacenters: list(z.string()),
})

const topology = z.object({
  datacenter: text,
  computeCluster: text,
  datastore: text,
  folder: text,
  resourcePool: text,
  template: text,
  networks: list(z.string()),
})

const vsphere = z.object({
  vcenters: list(vcenter),
  failureDomains: list(z.object({ name: z.string(), region: text, zone: text, server, topology: topology.nullish() })),
  // The fields for a single vCenter, which newer installers still understand.
  vCenter: server,
  username: text,
  password: text,
  datacenter: text,
  defaultDatastore: text,
  cluster: text,
  folder: text,
  resourcePool: text,
  network: text,
})

/** The part of an install-config that is about vSphere. */
export const installConfigSchema = z.object({ platform: z.object({ vsphere: vsphere.nullish() }) })

export type InstallPlatform = z.infer<typeof vsphere>

export type InstallVCenter = z.infer<typeof vcenter>
