// Takes the picture of the status page in docs/ from the demo, with the chromium on PATH. Run `npm run build` first.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const demo = spawn(process.execPath, ['dist/src/main.js', 'demo', '--port', '0'], { cwd: root })
const url = await new Promise((resolve, reject) => {
  let text = ''
  demo.stdout.setEncoding('utf8').on('data', (more) => {
    text += more
    const found = /Look at +(\S+)/.exec(text)?.[1]
    if (found !== undefined) resolve(found)
  })
  demo.once('close', () => reject(new Error('The demo ended before it showed anything.')))
})

const profile = mkdtempSync(join(tmpdir(), 'vpd-screenshot-'))
const { status } = spawnSync(
  'chromium',
  [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--hide-scrollbars',
    `--user-data-dir=${profile}`,
    '--window-size=1100,1300',
    `--screenshot=${join(root, 'docs/status-page.png')}`,
    url,
  ],
  { stdio: 'ignore' },
)
rmSync(profile, { recursive: true, force: true })
demo.kill('SIGTERM')
process.exitCode = status ?? 1
