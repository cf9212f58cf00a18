// A registry may lack the binaries of other platforms. npm then leaves them out of package-lock.json, and `npm ci` refuses
// the file everywhere. This adds an entry for each that is missing, so that a platform that needs one asks for it.
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))

for (const { dev, optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    lock.packages[`node_modules/${name}`] ??= { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true }
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)

/** Such packages are named after the platform: `…-linux-arm64-musl`. */
function platformOf(name) {
  const parts = name.split(/[/-]/)
  const os = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
  const cpu = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']
  const libc = parts.includes('musl')
    ? 'musl'
    : parts.includes('gnu') || parts.includes('gnueabihf')
      ? 'glibc'
      : undefined
  const named = { os: os.filter((word) => parts.includes(word)), cpu: cpu.filter((word) => parts.includes(word)) }
  return {
    ...(named.os.length > 0 ? { os: named.os } : {}),
    ...(named.cpu.length > 0 ? { cpu: named.cpu } : {}),
    ...(libc === undefined ? {} : { libc: [libc] }),
  }
}
