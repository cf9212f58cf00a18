import { defineCheck, type FailureDomain, NotApplicable, nameList } from '../src/framework/check.ts'

export const vcenterInUse = defineCheck({
  id: 'vcenter-in-use',
  title: 'vCenter is used by a failure domain',
  help: `A vCenter that the Infrastructure object lists and no failure domain names gets no machines and no volumes, although
credentials for it are spread through the cluster. Usually a failure domain was forgotten, or the vCenter was to be removed.`,
  scope: 'vcenter',
  severity: 'error',
  needs: { kube: ['infrastructure'] },

  *run({ name, kube: { infrastructure } }) {
    if (infrastructure.failureDomains.length === 0) {
      throw new NotApplicable('The Infrastructure object has no failure domains.')
    }
    const index = infrastructure.vcenters.findIndex((vcenter) => vcenter.server === name)
    if (index < 0) {
      throw new NotApplicable('The Infrastructure object does not list this vCenter.')
    }
    // In other letters it is meant all the same, and failure-domain-vcenters says so.
    const isListed = (server: string) => infrastructure.vcenters.some((vcenter) => vcenter.server === server)
    const isMeant = ({ server }: FailureDomain) =>
      server === name || (server.toLowerCase() === name.toLowerCase() && !isListed(server))
    if (infrastructure.failureDomains.some(isMeant)) return

    const domains = nameList(infrastructure.failureDomains.map((domain) => `${domain.name} (${domain.server})`))
    yield {
      reason: 'VCenterUnused',
      message: `No failure domain names ${name}. The failure domains are ${domains}.`,
      remedy: `Add a failure domain for ${name} to Infrastructure/cluster, or remove ${name} from its vcenters.`,
      source: { object: 'Infrastructure/cluster', path: ['spec', 'platformSpec', 'vsphere', 'vcenters', index] },
    }
  },
})
