import { chmod, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Ids, type Machine, startMachine } from './machine.ts'
import { run } from './setup.ts'

const { debian, packages } = inject('parts')

export interface Debian extends Machine {
  /** Its files. */
  readonly root: string
}

/** A fresh Debian below `folder`, which has the built packages in `/mnt` and no network. */
export async function startDebian(folder: string): Promise<Debian> {
  const root = join(await mkdtemp(join(folder, 'debian-')), 'root')
  await run('cp', ['--archive', debian, root])
  return { ...(await startMachine({ root, volumes: { '/mnt': packages } })), root }
}

/** The path on the machine of the built file whose name has this ending. */
export async function packageOn(ending: string): Promise<string> {
  const name = (await readdir(packages)).find((each) => each.endsWith(ending))
  if (name === undefined) throw new Error(`There is no ${ending} in ${packages}.`)
  return `/mnt/${name}`
}

/** Runs a command line as root. Throws if it fails, otherwise returns its output. */
export async function sh(machine: Machine, line: string): Promise<string> {
  const { code, stdout, stderr } = await machine.run(['sh', '-euc', `exec 2>&1; ${line}`])
  if (code !== 0) throw new Error(`"${line}" ended with ${code}: ${stdout}${stderr}`)
  return stdout
}

/** The ids of a user of the machine. */
export async function idsOf({ root }: Debian, user: string): Promise<Ids> {
  const lines = (await readFile(join(root, 'etc/passwd'), 'utf8')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = lines.find(([name]) => name === user) ?? []
  if (uid === undefined || gid === undefined) throw new Error(`There is no user ${user}.`)
  return { uid: Number(uid), gid: Number(gid) }
}

/** What the package asks of systemd, for one service that is always enabled. */
const systemctl = `#!/bin/sh
alive() { [ -e /run/hither.pid ] && kill -0 "$(cat /run/hither.pid)" 2>/dev/null; }
case " $* " in
*' is-enabled '*) echo enabled ;;
*' is-active '*) alive ;;
*' start '*)
  rm -f /var/log/hither
  setsid setpriv --reuid hither --regid hither --init-groups env --ignore-environment PATH="$PATH" /usr/bin/hither start \\
    3>&- >/var/log/hither 2>&1 &
  echo $! >/run/hither.pid
  ;;
*' stop '*)
  if alive; then kill "$(cat /run/hither.pid)"; fi
  while alive; do sleep 0.1; done
  ;;
esac
`

/** Gives a machine a stand-in for systemd, which the Debian root does not have and no chroot can run. */
export async function addSystemd({ root }: Debian): Promise<void> {
  await mkdir(join(root, 'run/systemd/system'), { recursive: true })
  await writeFile(join(root, 'usr/bin/systemctl'), systemctl)
  await chmod(join(root, 'usr/bin/systemctl'), 0o755)
}
