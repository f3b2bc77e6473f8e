import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDataFolders, type DataFolders, openFolder } from '../../../../test/data-folder.ts'
import { freePort } from '../../../../test/free-port.ts'
import { isRunning } from '../../../../test/processes.ts'
import { type BuiltInDatabase, startBuiltInDatabase } from './built-in-database.ts'
import { findInstalled, prepareProgramsFor } from './programs.ts'
import { startTemporaryDatabase } from './temporary.ts'

const log = pino({ level: 'silent' })
const isRoot = process.geteuid?.() === 0
let folders: DataFolders
let running: BuiltInDatabase[] = []

beforeAll(async () => {
  folders = await createDataFolders()
})
afterEach(async () => {
  for (const database of running) await database.close()
  running = []
})
afterAll(() => folders.remove())

async function start(dataDir: string, options: Partial<Parameters<typeof startBuiltInDatabase>[0]> = {}) {
  const database = await startBuiltInDatabase({ dataDir, log, isDurable: false, ...options })
  running.push(database)
  return database
}

async function asked<T>({ address }: BuiltInDatabase, ask: (sql: postgres.Sql) => Promise<T>, username = 'hither') {
  if (!('path' in address)) throw new Error('It has no socket.')
  const sql = postgres({
    path: address.path,
    username,
    database: 'hither',
    max: 1,
    onnotice: () => undefined,
  } as object)
  try {
    return await ask(sql)
  } finally {
    await sql.end()
  }
}

/** Path, size, time of change and mode of everything below a folder. */
async function stateOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const lines = entries.map(async ({ parentPath, name, ...entry }) => {
    const path = join(parentPath, name)
    const { size, mtimeMs, mode } = await stat(path)
    return entry instanceof Object && (await stat(path)).isDirectory()
      ? `${path} ${mode}`
      : `${path} ${size} ${mtimeMs} ${mode}`
  })
  return (await Promise.all(lines)).sort()
}

describe('the built-in database', () => {
  it('uses fsync and page checksums, listens on no port and has a role without superuser rights', async () => {
    const dataDir = await folders.make()
    const database = await start(dataDir, { isDurable: true })
    const settings = await asked(database, async (sql) => {
      const rows = await sql<{ name: string; setting: string }[]>`
        select name, setting from pg_settings where name in
          ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'listen_addresses', 'max_connections', 'TimeZone')`
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
    })
    expect(settings).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      max_connections: '20',
      TimeZone: 'UTC',
    })
    const [role] = await asked(database, (sql) => sql`select rolsuper from pg_roles where rolname = current_user`)
    expect(role).toEqual({ rolsuper: false })
    await expect(asked(database, (sql) => sql`copy (select 1) to program 'cat'`)).rejects.toMatchObject({
      code: '42501',
    })
    for (const folder of ['postgres-18', 'run']) expect((await stat(join(dataDir, folder))).mode & 0o777).toBe(0o700)
    expect(database.version).toMatch(/^18\.\d+$/)
  })

  it('does not inherit the environment of the server and does not log failed statements', async () => {
    const lines: string[] = []
    const dataDir = await folders.make()
    vi.stubEnv('AUTH_SECRET', 'a secret that nobody else may read')
    const database = await start(dataDir, {
      log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    })
    vi.unstubAllEnvs()
    await expect(
      asked(database, (sql) => sql`select ${'ann@example.org'}::text::int, '48.137,11.575' as place`),
    ).rejects.toThrow()
    await expect(asked(database, (sql) => sql.unsafe(`select 'ann@example.org'::point`))).rejects.toThrow()
    await database.close()
    running = []
    expect(lines.join('')).toContain('ready to accept connections')
    expect(lines.join('')).not.toMatch(/ann@example|48\.137|select/)
  })

  it('closes a connection that was idle for 30 seconds and opens a new one for the next call', async () => {
    const { pool, builtIn, close } = await openFolder(await folders.make())
    try {
      await asked(builtIn as BuiltInDatabase, async (sql) => {
        const count = async () => {
          const [row] = await sql<[{ count: number }]>`
            select count(*)::int from pg_stat_activity where application_name = 'hither'`
          return row.count
        }
        expect(await count()).toBe(1)
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
        await Promise.all([pool.begin((tx) => tx`select 1`), pool.begin((tx) => tx`select 1`)])
        vi.advanceTimersByTime(29_000)
        expect(await count()).toBe(2)
        vi.advanceTimersByTime(1000)
        vi.useRealTimers()
        await vi.waitUntil(async () => (await count()) === 0, { timeout: 60_000 })
        expect(await pool`select 1 as one`).toEqual([{ one: 1 }])
      })
    } finally {
      vi.useRealTimers()
      await close()
    }
  })

  it.runIf(process.platform === 'linux')('passes only three variables on', async () => {
    const database = await start(await folders.make())
    const environment = await readFile(`/proc/${database.pid()}/environ`, 'utf8')
    // PostgreSQL writes its title over what it started with; what is left names nothing else.
    const names = environment.split('\0').flatMap((entry) => /^([A-Z_]+)=/.exec(entry)?.[1] ?? [])
    expect(['LC_ALL', 'PATH', 'TZ', 'PGDATA', 'PG_GRANDPARENT_PID']).toEqual(expect.arrayContaining(names))
    expect(environment).not.toContain('VITEST')
  })

  it('does not stop an unrelated process with the process id of an earlier database', async () => {
    const dataDir = await folders.make()
    const { uid, gid } = await stat(join(dataDir, 'postgres-18'))
    // Of the database user: to PostgreSQL, only processes of that user matter.
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
    for (const file of [join('postgres-18', 'postmaster.pid'), join('run', '.s.PGSQL.5432.lock')]) {
      await writeFile(join(dataDir, file), `${other.pid}\n${join(dataDir, 'postgres-18')}\n1\n5432\n`)
      await chown(join(dataDir, file), uid, gid)
    }
    await start(dataDir)
    expect(other.exitCode).toBeNull()
    expect(other.signalCode).toBeNull()
    other.kill()
  })

  it.each([
    ['spaces, a comma, quotes and an umlaut', `with space, "quote" 'and' ü`],
    ['a path that is too long for a socket', 'x'.repeat(120)],
  ])('starts in a folder with %s', async (_, name) => {
    const dataDir = join(await folders.make(), '..', name)
    await mkdir(dataDir)
    await cp(await folders.make(), dataDir, { recursive: true })
    await rm(dataDir, { recursive: true })
    await rename(await folders.make(), dataDir)
    const database = await start(dataDir)
    expect(await asked(database, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
    const { address } = database
    await database.close()
    running = []
    if ('path' in address && !address.path.startsWith(dataDir))
      await expect(stat(join(address.path, '..'))).rejects.toThrow()
  })

  it('starts if the paths of both DATA_DIR and TMPDIR are too long for a socket', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'hither-long-'))
    await chmod(parent, 0o755)
    const [dataDir, temporary] = [join(parent, 'x'.repeat(150)), join(parent, 'y'.repeat(150))]
    await rename(await folders.make(), dataDir)
    await mkdir(temporary)
    vi.stubEnv('TMPDIR', temporary)
    try {
      const database = await start(dataDir)
      expect(await asked(database, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
      expect(database.address).toEqual({ path: expect.stringMatching(/^\/tmp\/hither-\w+\/\.s\.PGSQL\.5432$/) })
    } finally {
      vi.unstubAllEnvs()
    }
    for (const database of running) await database.close()
    running = []
    await rm(parent, { recursive: true })
  })

  it('creates its folder again after a first start that was interrupted at any moment', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hither-first-'))
    for (const afterMs of [5, 120, 400]) {
      const stop = new AbortController()
      const starting = startBuiltInDatabase({ dataDir, log, isDurable: false, signal: stop.signal })
      starting.then((database) => running.push(database)).catch(() => undefined)
      setTimeout(() => stop.abort(), afterMs)
      await starting.catch(() => undefined)
      for (const database of running) await database.close()
      running = []
    }
    // As a kill leaves it.
    await mkdir(join(dataDir, 'postgres-18.new-killed', 'base'), { recursive: true })
    await writeFile(join(dataDir, 'postgres-18.new-killed', 'PG_VERSION'), '18\n')
    const database = await start(dataDir)
    expect(await asked(database, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres-18.'))).toEqual([])
    await database.close()
    running = []
    await rm(dataDir, { recursive: true })
  })
})

describe('an invalid database folder', () => {
  const newest = async () => '/backups/newest.tar.gz'

  async function refusal(dataDir: string): Promise<string> {
    const error = await start(dataDir, { newestArchive: newest }).then(
      () => new Error('It started.'),
      (reason: Error) => reason,
    )
    expect(error.name).toBe('StartError')
    return error.message
  }

  it.each([
    ['the file PG_VERSION', async (folder: string) => rm(join(folder, 'PG_VERSION'))],
    [
      'a byte of the control file',
      async (folder: string) => {
        const file = join(folder, 'global', 'pg_control')
        const bytes = await readFile(file)
        bytes[40] = (bytes[40] ?? 0) ^ 0xff
        await writeFile(file, bytes)
      },
    ],
    [
      'its write-ahead log',
      async (folder: string) => {
        const names = (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
        for (const name of names) await rm(join(folder, 'pg_wal', name))
      },
    ],
  ])('without %s is called damaged and stays as it is', async (_, damage) => {
    const dataDir = await folders.make()
    const folder = join(dataDir, 'postgres-18')
    await damage(folder)
    const before = await stateOf(folder)
    const message = await refusal(dataDir)
    expect(message).toMatch(
      /^The database in .*postgres-18 is damaged \(.+\)\. Nothing was changed\. Move that folder away and restore a backup: npm run restore -- \/backups\/newest\.tar\.gz\.$/,
    )
    // PostgreSQL writes down with which options it was started last.
    const lasting = (lines: string[]) => lines.filter((line) => !line.includes('postmaster.opts'))
    expect(lasting(await stateOf(folder))).toEqual(lasting(before))
  })

  it('of another major version or of an older Hither is named in the error and stays unchanged', async () => {
    const dataDir = await folders.make()
    await writeFile(join(dataDir, 'postgres-18', 'PG_VERSION'), '17\n')
    expect(await refusal(dataDir)).toBe(
      `${dataDir}/postgres-18 was made by PostgreSQL 17; this Hither brings PostgreSQL 18. Make a backup with the Hither version that used it, then restore it with this one.`,
    )
    await rm(join(dataDir, 'postgres-18'), { recursive: true })
    await mkdir(join(dataDir, 'database'))
    await writeFile(join(dataDir, 'database', 'PG_VERSION'), '18\n')
    expect(await refusal(dataDir)).toMatch(/database was made by an older Hither\. Make a backup with that version/)
    expect(await readdir(dataDir)).not.toContain('postgres-18')
  })

  it.runIf(isRoot)('whose database belongs to somebody else is named', async () => {
    const dataDir = await folders.make()
    await chown(join(dataDir, 'postgres-18'), 4242, 4242)
    expect(await refusal(dataDir)).toMatch(/postgres-18 belongs to the user 4242, but Hither runs as root\./)
  })

  it.runIf(isRoot)('below a folder of root alone is named', async () => {
    const closed = await mkdtemp(join(tmpdir(), 'hither-closed-'))
    await mkdir(join(closed, 'data'))
    expect(await refusal(join(closed, 'data'))).toBe(
      `The database can't run as root, and the user nobody can't enter ${closed}. Run Hither as an ordinary user, or set DATA_DIR to a folder like /var/lib/hither.`,
    )
    await rm(closed, { recursive: true })
  })

  it.runIf(isRoot)('of an ordinary user is used by a database of that user', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hither-owned-'))
    await chown(dataDir, 1, 1)
    const database = await start(dataDir)
    expect((await stat(join(dataDir, 'postgres-18'))).uid).toBe(1)
    expect(await readFile(`/proc/${database.pid()}/status`, 'utf8')).toMatch(/^Uid:\t1\t1\t1\t1$/m)
    await database.close()
    running = []
    await rm(dataDir, { recursive: true })
  })

  it.runIf(isRoot)('of a user without a name is explained', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hither-unnamed-'))
    await chown(dataDir, 4242, 4242)
    expect(await refusal(dataDir)).toMatch(/^The user id 4242 has no name on this system, which PostgreSQL needs/)
    await rm(dataDir, { recursive: true })
  })
})

describe('the database programs', () => {
  const missing = () => {
    throw new Error('Cannot find module')
  }

  it.each([
    ['musl', { platform: 'linux', arch: 'x64', libc: 'musl' as const }, undefined, 'linux-x64, musl'],
    ['another processor', { platform: 'linux', arch: 's390x', libc: null }, undefined, 'linux-s390x'],
    ['an install without optional dependencies', { platform: 'linux', arch: 'x64', libc: null }, missing, 'linux-x64'],
  ])('are reported as missing on %s', (_, system, resolve, named) => {
    expect(() => findInstalled(system, resolve)).toThrow(
      `Hither brings no database for this system (${named}). Set DATABASE_URL to a PostgreSQL server (15 or newer).`,
    )
  })

  it.runIf(process.platform !== 'win32')('that may not be run are named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hither-programs-'))
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'native', 'bin'), { recursive: true })
    const path = join(folder, 'native', 'bin', 'postgres')
    await writeFile(path, '')
    await chmod(path, 0o644)
    await expect(prepareProgramsFor(null, join(folder, 'copy'), join(folder, 'native'))).rejects.toThrow(
      `The database program ${path} can't be run (EACCES). Set DATABASE_URL, or move Hither to a disk that allows programs.`,
    )
    await rm(folder, { recursive: true })
  })

  it.runIf(isRoot)('that only root can read are copied once, with their links', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hither-programs-'))
    await cp(join(findInstalled(), '..'), join(folder, 'closed'), { recursive: true, verbatimSymlinks: true })
    await rm(join(folder, 'closed', 'native', 'lib', 'libpq.so.5'))
    const copies = await mkdtemp(join(tmpdir(), 'hither-copies-'))
    await chmod(copies, 0o755)
    const user = { uid: 65_534, gid: 65_534, name: 'nobody', isSwitched: true, isNobody: true }
    const programs = await prepareProgramsFor(user, join(copies, 'postgres-programs'), join(folder, 'closed', 'native'))
    expect(programs.postgres.startsWith(copies)).toBe(true)
    expect(await readdir(join(programs.postgres, '..', '..', 'lib'))).toContain('libpq.so.5')
    const { mtimeMs } = await stat(programs.postgres)
    await prepareProgramsFor(user, join(copies, 'postgres-programs'), join(folder, 'closed', 'native'))
    expect((await stat(programs.postgres)).mtimeMs).toBe(mtimeMs)
    await rm(folder, { recursive: true })
    await rm(copies, { recursive: true })
  })
})

describe('the temporary database', () => {
  it('of a killed demo is stopped and removed when the next demo starts, which leaves a running demo alone', async () => {
    // Others on this machine start temporary databases as well, and clean up in the folder of the system.
    const parent = await mkdtemp(join(tmpdir(), 'hither-parent-'))
    await chmod(parent, 0o711)
    const dataDir = join(parent, 'data')
    const demo = fileURLToPath(new URL('../../../../../scripts/demo.ts', import.meta.url))
    const runDemo = async (): Promise<ChildProcess & { port: number }> => {
      const port = await freePort()
      const child = spawn(process.execPath, [demo], {
        env: { PATH: process.env['PATH'], PORT: String(port), TMPDIR: parent, DATA_DIR: dataDir, MAP_ONLINE: 'off' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      // A failed test would leave it running, and the runner would wait for it.
      onTestFinished(() => void child.kill('SIGKILL'))
      await new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (text) => String(text).includes("Hither's demo is running") && resolve())
        child.once('exit', (code) => reject(new Error(`The demo ended with ${code}`)))
      })
      return Object.assign(child, { port })
    }
    const kill = async (child: ChildProcess) => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const databases = async () => {
      const names = (await readdir(parent)).filter((name) => name.startsWith('hither-temporary-'))
      const files = names.map((name) => readFile(join(parent, name, 'postgres-18', 'postmaster.pid'), 'utf8'))
      return (await Promise.all(files)).map((text) => Number.parseInt(text, 10))
    }
    const first = await runDemo()
    const [firstDatabase = 0] = await databases()
    const second = await runDemo()
    const [secondDatabase = 0, ...others] = (await databases()).filter((pid) => pid !== firstDatabase)
    expect(others).toEqual([])
    for (const { port } of [first, second]) expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    await kill(first)
    const third = await runDemo()
    expect(isRunning(firstDatabase)).toBe(false)
    expect(await databases()).toHaveLength(2)
    expect(await databases()).toContain(secondDatabase)
    expect((await fetch(`http://127.0.0.1:${second.port}/readyz`)).status).toBe(200)
    await kill(second)
    await kill(third)
    vi.stubEnv('TMPDIR', parent)
    await (await startTemporaryDatabase({ log })).close()
    vi.unstubAllEnvs()
    // Neither a temporary folder nor `DATA_DIR`.
    expect(await readdir(parent)).toEqual([])
    await rm(parent, { recursive: true })
  })
})
