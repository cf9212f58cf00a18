import { spawn } from 'node:child_process'

/** Opens a page in the user's browser, if there seems to be one. Best effort: the address has been printed anyway. */
export function openInBrowser(url: string, env: Readonly<Record<string, string | undefined>>): void {
  const command = browserCommand(process.platform, env)
  if (command === undefined) return
  const child = spawn(command, [url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

function browserCommand(platform: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (platform === 'darwin') return 'open'
  if (platform === 'win32') return 'explorer'
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : undefined
}
