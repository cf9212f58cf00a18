// Compiles to dist/ from scratch, so that a renamed file leaves nothing behind.
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'

const root = new URL('../', import.meta.url)
rmSync(new URL('dist/', root), { recursive: true, force: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], {
  cwd: root,
  stdio: 'inherit',
})
chmodSync(new URL('dist/src/main.js', root), 0o755)
