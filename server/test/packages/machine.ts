import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/**
 * Runs programs in a folder as on a machine of its own, without a container engine: it has processes, a network with nothing but
 * itself, devices and temporary folders of its own, and one of its programs is the first, which ends it. Needs root.
 */
export interface Machine {
  /** Resolves with the exit code and output of a program. */
  run(command: readonly string[], options?: RunOptions): Promise<Finished>
  /** Starts a program that keeps running. */
  start(command: readonly string[], options?: RunOptions): Program
  /** Sends a request from this machine to itself. */
  call(request: Call): Promise<Answer>
  readonly first: Program
  /** Ends everything that runs on it. */
  stop(): Promise<void>
}

interface RunOptions {
  /** The ids with which it runs, without any rights, or the root user. */
  readonly as?: Ids | 'root'
  readonly environment?: Readonly<Record<string, string>>
  readonly folder?: string
  readonly input?: Uint8Array
}

export interface Ids {
  readonly uid: number
  readonly gid: number
}

interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Standard output as it was written. */
  readonly bytes: Buffer
}

interface Program {
  /** Resolves as soon as the output contains a text, and throws if the program ends before. */
  says(text: string): Promise<void>
  /** Sends a signal to the program itself. */
  signal(name: NodeJS.Signals): Promise<void>
  readonly ended: Promise<number | null>
  output(): string
  /** The id of its process outside of the machine. */
  pid(): Promise<number>
}

interface Call {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Base64 of a PNG that is sent as a file. */
  readonly picture?: string
  readonly port?: number
}

interface Answer {
  readonly status: number
  readonly body: string
}

interface MachineOptions {
  readonly root: string
  /** Folders of this system by their place on the machine. */
  readonly volumes?: Readonly<Record<string, string>>
  /** Whether nothing but the volumes and temporary folders can be written. */
  readonly isReadOnly?: boolean
  /** The first program; by default one that does nothing. */
  readonly command?: readonly string[]
  readonly options?: RunOptions
}

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Mounts what a machine has, in a mount namespace of its own, says so and replaces itself by the first program. */
const boot = `
  root=$1 read_only=$2 volumes=$3; shift 3
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o mode=755 devices "$root/dev"
  for device in null zero full random urandom tty; do
    touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"
  done
  mkdir "$root/dev/shm" "$root/dev/pts"
  mount -t tmpfs -o mode=1777 shared "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666 terminals "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"; ln -s /proc/self/fd "$root/dev/fd"
  mount -t tmpfs -o mode=1777 temporary "$root/tmp"
  printf '%s' "$volumes" | while read -r target source; do mount --bind "$source" "$root$target"; done
  if [ "$read_only" = yes ]; then mount -o remount,bind,ro "$root"; fi
  chroot "$root" perl -e '$up = pack("a16 s a14", "lo", 0x41, ""); socket(S, 2, 2, 0) and ioctl(S, 0x8914, $up) or die "lo: $!"'
  echo booted
  exec "$@"`

/** The first process of a machine has to end the processes that nobody waits for. */
const idle = ['perl', '-e', '$SIG{CHLD} = "IGNORE"; $SIG{TERM} = sub { exit 0 }; sleep 1000 while 1']

const request = `
  const { path, method, headers, json, picture, port } = JSON.parse(process.argv[1])
  const form = new FormData()
  if (picture) form.append('file', new Blob([Buffer.from(picture, 'base64')], { type: 'image/png' }), 'picture.png')
  const body = picture ? form : json === undefined ? undefined : JSON.stringify(json)
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch('http://127.0.0.1:' + port + path, { method, body, headers: { ...type, ...headers } })
  process.stdout.write(JSON.stringify({ status: answer.status, body: await answer.text() }))`

export async function startMachine(given: MachineOptions): Promise<Machine> {
  const { root, volumes = {}, isReadOnly = false, command = idle, options = { as: 'root' } } = given
  const lines = Object.entries(volumes).map(([target, source]) => `${target} ${source}\n`)
  const first = programOf(
    spawn('unshare', [
      ...['--mount', '--pid', '--net', '--fork', '--kill-child'],
      ...['sh', '-euc', boot, 'boot', root, isReadOnly ? 'yes' : 'no', lines.join('')],
      ...wordsOf(root, command, options),
    ]),
  )
  await first.says('booted\n')
  const target = ['--target', String(await first.pid())]
  const enter = (words: readonly string[], runOptions: RunOptions) =>
    spawn('nsenter', [...target, '--mount', '--pid', '--net', ...wordsOf(root, words, runOptions)])
  return {
    first,
    run: (words, runOptions = {}) => finished(enter(words, runOptions), runOptions.input),
    start: (words, runOptions = {}) => programOf(enter(words, runOptions)),
    async call({ path, port = 3000, ...rest }) {
      const words = ['--input-type=module', '--eval', request, JSON.stringify({ path, port, ...rest })]
      const { code, stdout, stderr } = await finished(
        spawn('nsenter', [...target, '--net', process.execPath, ...words]),
      )
      if (code !== 0) throw new Error(`No answer from ${path}: ${stderr}`)
      return JSON.parse(stdout) as Answer
    },
    async stop() {
      await first.signal('SIGKILL').catch(() => undefined)
      await first.ended
    },
  }
}

/** A command line that runs a program in the folder `root`, with the variables of `environment` and no others. */
function wordsOf(root: string, command: readonly string[], options: RunOptions): string[] {
  const { as = 'root', environment = {}, folder = '/' } = options
  const user =
    as === 'root'
      ? []
      : [
          ...['setpriv', '--reuid', String(as.uid), '--regid', String(as.gid), '--clear-groups'],
          ...['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'],
        ]
  const variables = Object.entries({ PATH: searchPath, ...environment }).map(([name, value]) => `${name}=${value}`)
  return ['chroot', root, ...user, 'env', '--ignore-environment', `--chdir=${folder}`, ...variables, ...command]
}

function programOf(child: ChildProcess): Program {
  let output = ''
  const { stdin, stdout, stderr } = child
  stdin?.end()
  const listeners = new Set<() => void>()
  for (const stream of [stdout, stderr] as Readable[])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const listener of listeners) listener()
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    ended,
    output: () => output,
    says(text) {
      const said = new Promise<void>((resolve) => {
        const check = () => output.includes(text) && resolve()
        listeners.add(check)
        check()
      })
      const missed = ended.then((code) => {
        if (!output.includes(text)) throw new Error(`A program ended with ${code} before it said "${text}": ${output}`)
      })
      return Promise.race([said, missed])
    },
    pid: () => innerPid(child),
    async signal(name) {
      process.kill(await innerPid(child), name)
    },
  }
}

/** The program itself is the only child of the program that entered the namespaces. */
async function innerPid({ pid }: ChildProcess): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const inner = Number(children.trim().split(' ')[0])
  if (!(inner > 0)) throw new Error('The program has ended.')
  return inner
}

/** Waits for the end of a program. */
export async function finished(child: ChildProcess, input?: Uint8Array): Promise<Finished> {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout?.on('data', (chunk: Buffer) => chunks.stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.stderr.push(chunk))
  // A program that refuses its input may end before it has read all of it.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  const bytes = Buffer.concat(chunks.stdout)
  return { code, bytes, stdout: bytes.toString(), stderr: Buffer.concat(chunks.stderr).toString() }
}
