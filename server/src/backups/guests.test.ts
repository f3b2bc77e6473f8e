import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  approveGuest,
  changeGuest,
  claimGuest,
  createGuest,
  removeGuest,
  withdrawGuest,
} from '@hither/contract/guests.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { type CreatePing, createPing } from '@hither/contract/pings.ts'
import { filledPath } from '@hither/contract/runtime/address.ts'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'
import { openFolder, storages } from '../../test/storages.ts'
import { takeBackup } from './backups.service.ts'
import { contentOf, depsOn, openMachine } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

const hourMs = 3_600_000

it('a restore does not bring back guests who were withdrawn, removed or claimed after the backup', async () => {
  const kind = storages[0]
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const server = await startServer(storage.environment)
  const other = await openMachine(kind, join(storage.environment.DATA_DIR, 'backups'))
  const later = await openMachine(kind, join(storage.environment.DATA_DIR, 'backups'))
  try {
    const deps = depsOn(server.db, storage.environment)
    const [ann, eve] = [await server.signUp('ann'), await server.signUp('eve')]
    const place = { name: 'Coffee', latitude: 45.5, longitude: -122.6 }
    const body = { ...place, is_public: true, guest_policy: 'open', recipient_ids: [] as UserId[] } satisfies CreatePing
    const { id } = (await server.call(createPing, { body }, ann)).body
    const params = { id }
    const tokens = ['A', 'B', 'C', 'D'].map((letter) => letter.repeat(43))
    const guests = []
    for (const token of tokens) {
      const answer = { token, name: `Guest ${token[0]}`, response_type: 'accepted' } as const
      guests.push((await server.call(createGuest, { params, body: answer })).body.guest)
    }
    const archive = await takeBackup(deps, 'manual')
    await server.request('DELETE', `/api${filledPath(withdrawGuest.address, { id })}`, {
      headers: { authorization: `Guest ${tokens[0]}` },
    })
    await server.call(removeGuest, { params: { id, guestId: guests[1]?.id as never } }, ann)
    await server.call(claimGuest, { params, body: { token: tokens[2] ?? '' } }, eve)
    const afterwards = await takeBackup(deps, 'manual')

    await createTombstoneCopy(join(storage.environment.DATA_DIR, 'backups'), () => new Date()).update(server.db)
    await restoreBackup(other.deps, { path: archive.path, force: false })
    const restored = await other.deps.pool`select name, state from ping_guests order by name`
    expect(restored).toEqual([{ name: 'Guest D', state: 'approved' }])

    await restoreBackup(later.deps, { path: afterwards.path, force: false })
    const kept = await later.deps.pool`select name, state, user_id from ping_guests order by name, state`
    expect(kept).toEqual([
      { name: 'Guest D', state: 'approved', user_id: null },
      { name: null, state: 'approved', user_id: eve.id },
      { name: null, state: 'removed', user_id: null },
    ])
  } finally {
    await other.close()
    await later.close()
    await server.close()
    await storage.close()
  }
})

it('a day after the end of a ping no row, file, log line or new backup contains the name of a guest', async () => {
  const storage = await openFolder()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const server = await startServer(storage.environment, log)
  try {
    const ann = await server.signUp('ann')
    const place = { name: 'Coffee', latitude: 45.5, longitude: -122.6, duration_minutes: 60 } as const
    const access = { is_public: true, guest_policy: 'approval' } as const
    const body = { ...place, ...access, recipient_ids: [] as UserId[] }
    const { id } = (await server.call(createPing, { body }, ann)).body
    const token = 'A'.repeat(43)
    const answer = { token, name: 'Zebulon', response_type: 'accepted' } as const
    const { guest } = (await server.call(createGuest, { params: { id }, body: answer })).body
    await server.call(approveGuest, { params: { id, guestId: guest.id } }, ann)
    await server.request('PATCH', `/api${filledPath(changeGuest.address, { id })}`, {
      headers: { authorization: `Guest ${token}` },
      body: { name: 'Zebulon Pike' },
    })
    const deps = depsOn(server.db, storage.environment)
    const unpacked = async (path: string) => gunzipSync(await readFile(path)).toString('latin1')
    const first = await takeBackup(deps, 'manual')
    expect(await unpacked(first.path)).toContain('Zebulon Pike')
    expect(JSON.stringify(await contentOf(server.db))).toContain('Zebulon Pike')

    server.clock.advance(25 * hourMs)
    await server.app.guestJobs.runDue()
    expect(JSON.stringify(await contentOf(server.db))).not.toContain('Zebulon')
    const next = await takeBackup(deps, 'manual')
    expect(await unpacked(next.path)).not.toContain('Zebulon')
    expect(lines.join('')).not.toContain('Zebulon')
    expect(lines.length).toBeGreaterThan(0)
    const files = await readdir(storage.environment.DATA_DIR, { recursive: true, withFileTypes: true })
    for (const { parentPath, name } of files.filter((entry) => entry.isFile()))
      expect(await readFile(join(parentPath, name), 'latin1'), name).not.toContain('Zebulon')
  } finally {
    await server.close()
    await storage.close()
  }
})
