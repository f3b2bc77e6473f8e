import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refusals } from '@hither/contract/refusals.ts'
import { expect, inject, test } from 'vitest'
import { type ServerProcess, startProcess } from '../../test/server-process.ts'

/**
 * No file of the process may be written to: `EFBIG`, where a full disk says `ENOSPC`. It needs neither a disk nor rights, and
 * comes in the middle of work, as the other does.
 */
function fillDisk({ child }: ServerProcess): void {
  execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=0:'])
}

test('a full disk ends the server with a sentence, and all that was acknowledged is there once there is room', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hither-full-'))
  await cp(inject('embeddedTemplates')?.folder ?? '', join(folder, 'database'), { recursive: true })
  const server = await startProcess({ DATA_DIR: folder })
  const account = { email: 'ann@example.org', password: 'correct horse battery', username: 'ann' }
  const { access_token: token } = (await server.call('POST', '/api/auth/signup', account)).body as {
    access_token: string
  }
  const acknowledged: string[] = []
  const refused: [number, unknown][] = []
  const writers = Array.from({ length: 4 }, async () => {
    for (;;) {
      const ping = { name: 'Here', latitude: 1, longitude: 2, is_public: true }
      const told = await server.call('POST', '/api/pings/', ping, token).catch(() => null)
      if (told === null) return
      if (told.status === 201) acknowledged.push(told.body['id'] as string)
      else refused.push([told.status, told.body])
      if (acknowledged.length === 12) fillDisk(server)
    }
  })
  expect(await server.ended).toBe(1)
  await Promise.all(writers)
  expect(server.output()).toMatch(
    /Hither stopped\. The embedded database stopped with code 1\. Is there room on the disk\?/,
  )
  // The database has no code of its own for `EFBIG`.
  for (const [status, body] of refused)
    expect(status === 503 ? body : status).toEqual(status === 503 ? { detail: refusals.unavailable.detail } : 500)

  const again = await startProcess({ DATA_DIR: folder })
  const mine = (await again.call('GET', '/api/pings/my-pings', undefined, token)).body as unknown as { id: string }[]
  expect(mine.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
  expect(
    (await again.call('POST', '/api/pings/', { name: 'There', latitude: 1, longitude: 2, is_public: true }, token))
      .status,
  ).toBe(201)
  expect(await again.end('SIGTERM')).toBe(0)
  await rm(folder, { recursive: true, force: true })
})
