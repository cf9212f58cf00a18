// Compiles to dist/ from scratch, so that a renamed file leaves nothing behind.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'

const root = new URL('../', import.meta.url)
rmSync(new URL('dist/', root), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (status === 0) chmodSync(new URL('dist/src/main.js', root), 0o755)
process.exitCode = status ?? 1
