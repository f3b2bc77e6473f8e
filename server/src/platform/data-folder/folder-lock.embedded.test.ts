import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockFolder, sendToLockHolder } from './folder-lock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/**
 * A process that prints when it is ready, tries to take the lock when it receives input, prints the outcome, and keeps running
 * until it is killed.
 */
const contender = `
  import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)}
  process.stdout.write('ready\\n')
  await new Promise((resolve) => process.stdin.once('data', resolve))
  const said = await lockFolder(${JSON.stringify('FOLDER')}).then(() => 'held', (error) => error.message)
  process.stdout.write(said + '\\n')
  setInterval(() => {}, 1000)`

it('exactly one of six processes gets the lock each time its holder was killed', async () => {
  let holder: ChildProcess | undefined
  for (let round = 0; round < 4; round++) {
    const children = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', contender.replace('FOLDER', folder)]),
    )
    await Promise.all(children.map((child) => once(child.stdout, 'data')))
    const gone = holder && once(holder, 'exit')
    holder?.kill('SIGKILL')
    await gone
    const said = children.map(async (child) => String((await once(child.stdout, 'data'))[0]).trim())
    for (const child of children) child.stdin.write('go\n')
    const outcomes = await Promise.all(said)
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(1)
    for (const outcome of outcomes)
      expect(outcome).toMatch(/^held$|^Another Hither is already running on the data folder/)
    holder = children[outcomes.indexOf('held')]
    for (const child of children) if (child !== holder) child.kill('SIGKILL')
  }
  holder?.kill('SIGKILL')
})

it('a holder answers other processes, also if the path is too long for a socket, and removes its files', async () => {
  const long = join(folder, 'x'.repeat(150))
  await mkdir(long)
  const unlock = await lockFolder(long, async (request) => `answer to ${request}`)
  expect(await sendToLockHolder(long, 'question')).toBe('answer to question')
  await expect(lockFolder(long)).rejects.toThrow(`Another Hither is already running on the data folder ${long}.`)
  await unlock()
  expect(await sendToLockHolder(long, 'question')).toBeNull()
  expect(await readdir(long)).toEqual(['running.lock'])
  await (await lockFolder(long))()
})

it('a missing folder is refused with a sentence', async () => {
  await expect(lockFolder(join(folder, 'missing'))).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringContaining(`The data folder ${join(folder, 'missing')} can't be locked`),
  })
})

it.runIf(process.geteuid?.() === 0)(
  'no request is sent through a temporary folder that another user created',
  async () => {
    const unlock = await lockFolder(folder)
    await unlock()
    const { createHash } = await import('node:crypto')
    const other = join(tmpdir(), `hither-0-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`)
    // A data folder that holds sockets needs no folder there.
    await mkdir(other, { mode: 0o700 })
    await chown(other, 4242, 4242)
    const { createServer } = await import('node:net')
    const server = createServer((socket) => socket.end('forged')).listen(join(other, 'running.sock'))
    await once(server, 'listening')
    expect(await sendToLockHolder(folder, 'question')).toBeNull()
    await new Promise((resolve) => server.close(resolve))
    await rm(other, { recursive: true })
  },
)
