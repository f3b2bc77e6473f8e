import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Display {
  /** The environment of programs that draw on it. */
  readonly env: NodeJS.ProcessEnv
  /** Starts a program with its own session bus, which ends with the display. */
  start(command: string, args: readonly string[]): void
  close(): Promise<void>
}

/** Opens a virtual screen with a window manager, which gives the focus to windows. */
export async function openDisplay(): Promise<Display> {
  const children: ChildProcess[] = []
  const home = mkdtempSync(join(tmpdir(), 'hither-display-'))
  // WebKitGTK reports it to pages as the wish for reduced motion.
  mkdirSync(join(home, 'gtk-3.0'))
  writeFileSync(join(home, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
  // Each child leads a process group, so that everything it starts ends with it.
  const close = async () => {
    for (const child of children.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      process.kill(-(child.pid ?? 0), 'SIGKILL')
      await ended
    }
    rmSync(home, { recursive: true, force: true })
  }
  process.once('exit', () => void close())
  const xvfb = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  children.push(xvfb)
  const numbers = xvfb.stdio[3]
  if (!numbers) throw new Error('Xvfb has no pipe for its number')
  const [number] = await once(numbers, 'data')
  const env = {
    ...process.env,
    DISPLAY: `:${String(number).trim()}`,
    XDG_CONFIG_HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'America/New_York',
  }
  children.push(spawn('/usr/bin/openbox', [], { env, detached: true, stdio: 'ignore' }))
  return {
    env,
    start(command, args) {
      children.push(
        spawn('/usr/bin/dbus-run-session', ['--', command, ...args], { env, detached: true, stdio: 'ignore' }),
      )
    },
    close,
  }
}
