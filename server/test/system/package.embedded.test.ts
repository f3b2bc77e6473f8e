import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../free-port.ts'

// The tests may have to build the web app and install the libraries.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 600_000 })

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const megabyte = 1_000_000
let folder: string
let installed: string
let environment: Record<string, string>

/** Creates the archive, unpacks it and installs the libraries, as an operator does. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither archive-'))
  // As root, the database runs as another user, who must be able to traverse this folder.
  await chmod(folder, 0o711)
  environment = {
    // This PATH contains the Node of this repository, but not the programs of its libraries.
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: process.env['HOME'] ?? folder,
    DATA_DIR: join(folder, 'data'),
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
    MAP_ONLINE: 'off',
    npm_config_update_notifier: 'false',
  }
  const npm = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^npm_config_(registry|cache)$/i.test(name)),
  )
  Object.assign(environment, npm)
  await execute(process.execPath, [join(root, 'scripts/package.ts'), folder])
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  await execute('tar', [
    '--extract',
    '--gzip',
    '--file',
    join(folder, `hither-${version}.tar.gz`),
    '--directory',
    folder,
  ])
  installed = join(folder, `hither-${version}`)
  const quick = ['--prefer-offline', '--no-audit', '--no-fund']
  const workspaces = ['--workspace', '@hither/server', '--workspace', '@hither/contract']
  await execute('npm', ['ci', '--omit=dev', ...workspaces, ...quick], { cwd: installed, env: environment })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

it('contains no tests and no sources of the web app, and installs no development dependencies', async () => {
  const files = await readdir(installed, { recursive: true })
  const own = files.filter((path) => !path.startsWith('node_modules'))
  expect(own.filter((path) => /\.test\.ts$|\/harness\.ts$|^(?:web\/src|e2e\/tests|server\/test)/.test(path))).toEqual(
    [],
  )
  expect(own).toEqual(expect.arrayContaining(['web/dist/index.html', 'package-lock.json', 'deploy/hither.service']))
  const libraries = await readdir(join(installed, 'node_modules'))
  for (const name of ['vite', 'vitest', 'typescript', 'node', 'react', '@biomejs', '@playwright'])
    expect(libraries).not.toContain(name)
  expect(await bytesOf(join(installed, 'node_modules'))).toBeLessThan(170 * megabyte)
})

it('starts without a build, serves the web app, and backs up and restores', async () => {
  const url = `http://127.0.0.1:${environment['PORT']}`
  const server = await startServer()
  try {
    expect(server.output()).not.toContain('Building')
    expect(await (await fetch(url)).text()).toContain('<script type="module"')
    expect(await signIn('signup')).toBe(201)
    const backup = await npmRun('backup')
    expect(backup).toMatch(/Backed up \d+ rows and 0 pictures/)
  } finally {
    await server.stop()
  }
  const backups = join(folder, 'data', 'backups')
  const [archive = ''] = (await readdir(backups)).filter((name) => name.endsWith('-manual.tar.gz'))
  environment['DATA_DIR'] = join(folder, 'another')
  expect(await npmRun('restore', join(backups, archive))).toContain('Everyone has to sign in again.')
  const again = await startServer()
  try {
    expect(await signIn('login')).toBe(200)
  } finally {
    await again.stop()
  }

  async function signIn(how: 'signup' | 'login'): Promise<number> {
    const account = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }
    const { username: _, ...login } = account
    const answer = await fetch(`${url}/api/auth/${how}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(how === 'signup' ? account : login),
    })
    return answer.status
  }
})

it.each(['start', 'backup', 'restore'])(
  'npm run %s reports the required Node version if Node is too old',
  async (script) => {
    const { scripts } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    // Simulates Node 20: it changes the reported version and then runs the command of the script.
    const old = join(folder, 'old-node.cjs')
    await writeFile(
      old,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })",
    )
    const [program, ...args] = (scripts[script] ?? '').split(' ')
    expect(program).toBe('node')
    const failed = await execute(process.execPath, ['--require', old, ...args], {
      cwd: installed,
      env: environment,
    }).catch((error: { code: number; stdout: string; stderr: string }) => error)
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: 'Hither needs Node 24 or newer (this is 20.20).\n' })
    expect(existsSync(join(installed, 'data'))).toBe(false)
  },
)

async function npmRun(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute('npm', ['run', '--silent', script, '--', ...args], {
    cwd: installed,
    env: environment,
  })
  return stdout
}

async function startServer() {
  // The child gets its own process group, because npm does not forward signals.
  const child = spawn('npm', ['start'], {
    cwd: installed,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text
        if (output.includes('Hither is running')) resolve()
      })
    ended.then(() => reject(new Error(`npm start ended: ${output}`)))
  })
  return {
    output: () => output,
    stop: async () => {
      stopGroup(child)
      await ended
    },
  }
}

function stopGroup({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGTERM')
}

/** The total size in bytes of the files in a folder, without following links. */
async function bytesOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => lstat(join(entry.parentPath, entry.name))),
  )
  return sizes.reduce((sum, { size }) => sum + size, 0)
}
