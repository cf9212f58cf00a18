import { defineCheck, nameList } from '../src/framework/check.ts'

export const failureDomainVcenters = defineCheck({
  id: 'failure-domain-vcenters',
  title: 'Failure domain names a known vCenter',
  help: `A failure domain whose \`server\` is not among the vCenters of the Infrastructure object cannot be provisioned into, and
some components crash on it. The names must be equal to the letter.`,
  scope: 'failureDomain',
  severity: 'error',
  needs: { kube: ['infrastructure'] },

  *run({ failureDomain, kube: { infrastructure }, knownVCenters }) {
    const listed = infrastructure.vcenters.map((vcenter) => vcenter.server)
    const known = listed.length > 0 ? listed : knownVCenters
    if (known.includes(failureDomain.server)) return

    const index = infrastructure.failureDomains.findIndex(({ name }) => name === failureDomain.name)
    const twin = known.find((server) => server.toLowerCase() === failureDomain.server.toLowerCase())
    yield {
      reason: 'UnknownVCenter',
      message: `Failure domain ${failureDomain.name} names the server ${failureDomain.server}; the known vCenters are ${nameList(known)}.`,
      remedy:
        twin === undefined
          ? `Correct the server of failure domain ${failureDomain.name} in Infrastructure/cluster, or add ${failureDomain.server} to its vcenters.`
          : `Write ${twin} in failure domain ${failureDomain.name} of Infrastructure/cluster; upper and lower case count.`,
      source: {
        object: 'Infrastructure/cluster',
        path: ['spec', 'platformSpec', 'vsphere', 'failureDomains', index, 'server'],
      },
    }
  },
})
