// Time and memory of reading a cluster of many nodes. Needs a build:
//   npm run build && node bench/cluster/read-nodes.js [nodes]
import { fork } from 'node:child_process'
import { createServer } from 'node:https'
import { fileURLToPath } from 'node:url'

const dist = process.env.VPD_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url))
const [role, count = '5000'] = process.argv[2] === 'serve' ? process.argv.slice(2) : ['read', process.argv[2]]

if (role === 'serve') await serve(Number(count))
else await read(Number(count))

/** The API server has a process of its own, so that its memory is not counted. */
async function serve(count) {
  const { selfSign } = await import(`${dist}/src/simulator/certificate.js`)
  const hour = 3_600_000
  const { certificate, privateKey } = selfSign({
    commonName: 'bench',
    names: ['127.0.0.1'],
    validFrom: new Date(Date.now() - hour),
    validTo: new Date(Date.now() + hour),
  })
  const nodes = Array.from({ length: count }, (_, index) => JSON.stringify(node(index)))
  const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    const url = new URL(request.url, 'https://localhost')
    if (url.pathname === '/version') return void response.end('{}')
    if (url.pathname !== '/api/v1/nodes')
      return void response.writeHead(404).end(url.pathname.startsWith('/apis') ? '' : '{"details":{"name":"x"}}')
    const start = Number(url.searchParams.get('continue') ?? 0)
    const end = start + Number(url.searchParams.get('limit') ?? count)
    const more = end < count ? `,"continue":"${end}"` : ''
    response.setHeader('content-type', 'application/json')
    response.end(`{"metadata":{"resourceVersion":"1"${more}},"items":[${nodes.slice(start, end).join(',')}]}`)
  })
  server.listen(0, '127.0.0.1', () => {
    process.send({ port: server.address().port, certificate, bytes: nodes.reduce((sum, text) => sum + text.length, 0) })
  })
}

async function read(count) {
  const child = fork(fileURLToPath(import.meta.url), ['serve', String(count)])
  const { port, certificate, bytes } = await new Promise((resolve) => child.once('message', resolve))
  const mebibytes = (value) => `${(value / 1024 / 1024).toFixed(1)} MiB`
  const before = process.memoryUsage.rss()
  const { KubeClient } = await import(`${dist}/src/cluster/kubernetes/client.js`)
  const { gather } = await import(`${dist}/src/cluster/kubernetes/gather.js`)
  const { readingFrom } = await import(`${dist}/src/cluster/objects.js`)
  const access = {
    server: new URL(`https://127.0.0.1:${port}`),
    description: 'bench',
    advice: '',
    namespace: 'default',
    identity: async () => ({ headers: {}, tls: { ca: certificate, rejectUnauthorized: true } }),
    refused() {},
  }
  const client = new KubeClient(access)
  print(
    `${count} nodes, ${mebibytes(bytes)} of JSON; RSS ${mebibytes(before)} before, ${mebibytes(process.memoryUsage.rss())} with the modules`,
  )
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  for (let round = 1; round <= 5; round++) {
    const [clock, requests] = [performance.now(), client.requests]
    peak = 0
    const { heap } = await gather(client, { wanted: new Set(), places: {} }, new AbortController().signal)
    const { nodes } = readingFrom(heap).kube
    const seconds = ((performance.now() - clock) / 1000).toFixed(2)
    const found = nodes.state === 'read' ? nodes.value.length : nodes.why
    const after = process.memoryUsage.rss()
    print(
      `round ${round}: ${found} nodes, ${client.requests - requests} requests, ${seconds} s, RSS peak ${mebibytes(Math.max(peak, after))}, after ${mebibytes(after)}`,
    )
  }
  clearInterval(timer)
  client.close()
  child.kill()
}

/** About as large as a node of a real cluster: images, conditions, annotations, managed fields. */
function node(index) {
  const name = `worker-${index}.example.com`
  const texts = (prefix, count, length) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}.example.com/${n}`, 'x'.repeat(length)]))
  return {
    metadata: {
      name,
      uid: `uid-${index}`,
      resourceVersion: String(index),
      labels: {
        'topology.kubernetes.io/region': 'r',
        'topology.kubernetes.io/zone': `z${index % 3}`,
        ...texts('label', 20, 12),
      },
      annotations: texts('annotation', 15, 120),
      managedFields: Array.from({ length: 6 }, () => ({ manager: 'kubelet', fieldsV1: texts('f', 20, 4) })),
    },
    spec: { providerID: `vsphere://4230f0e1-5d20-4c8a-9b7e-${String(index).padStart(12, '0')}` },
    status: {
      nodeInfo: { systemUUID: `4230f0e1-5d20-4c8a-9b7e-${String(index).padStart(12, '0')}`, kubeletVersion: 'v1.31.0' },
      conditions: Array.from({ length: 5 }, (_, n) => ({
        type: `Condition${n}`,
        status: 'False',
        message: 'm'.repeat(60),
      })),
      images: Array.from({ length: 50 }, (_, n) => ({
        names: [`quay.io/some/image-${n}@sha256:${'a'.repeat(64)}`],
        sizeBytes: n,
      })),
    },
  }
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
