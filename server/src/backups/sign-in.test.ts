import { join } from 'node:path'
import { unlinkIdentity } from '@hither/contract/auth/oidc.ts'
import { createPasskey, createPasskeyOptions, deletePasskey } from '@hither/contract/auth/passkeys.ts'
import { createRecoveryCodes, recover } from '@hither/contract/auth/recovery.ts'
import { expect, it } from 'vitest'
import { createAuthenticator } from '../../test/authenticator.ts'
import { startServer } from '../../test/harness.ts'
import { storages } from '../../test/storages.ts'
import { takeBackup } from './backups.service.ts'
import { depsOn, openMachine } from './harness.ts'
import { restoreBackup } from './restore.service.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

it('a restore brings back no passkey, identity or recovery code that was removed or used, and no running sign-in', async () => {
  const kind = storages[0]
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const issuer = 'https://id.example.org'
  const server = await startServer({ ...storage.environment, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'hither' })
  const other = await openMachine(kind, join(storage.environment.DATA_DIR, 'backups'))
  try {
    const deps = depsOn(server.db, storage.environment)
    const ann = await server.signUp('ann')
    const device = createAuthenticator('http://localhost:3000')
    const add = async (name: string) => {
      const { body: options } = await server.call(createPasskeyOptions, { body: {} }, ann)
      return (await server.call(createPasskey, { body: { response: device.create(options), name } }, ann)).body.id
    }
    const [gone] = [await add('Gone'), await add('Kept')]
    const link = (subject: string, at = server.clock.now()) => server.db`
      insert into identities (issuer, subject, user_id, created_at) values (${issuer}, ${subject}, ${ann.id}, ${at})`
    await link('gone')
    const { body } = await server.call(createRecoveryCodes, { body: {} }, ann)
    await server.call(recover, { body: { email: ann.email, code: body.codes[1] ?? '' } })
    await server.call(createPasskeyOptions, { body: {} }, ann)
    const archive = await takeBackup(deps, 'manual')
    await server.call(deletePasskey, { params: { id: gone }, body: {} }, ann)
    await server.call(unlinkIdentity, { params: { kind: 'oidc' }, body: {} }, ann)
    await server.call(recover, { body: { email: ann.email, code: body.codes[0] ?? '' } })
    await createTombstoneCopy(join(storage.environment.DATA_DIR, 'backups'), () => new Date()).update(server.db)
    await restoreBackup(other.deps, { path: archive.path, force: false })
    const restored = other.deps.pool
    expect(await restored`select name from passkeys`).toEqual([{ name: 'Kept' }])
    expect(await restored`select subject from identities`).toEqual([])
    expect(await restored`select 1 from recovery_codes where used_at is null`).toHaveLength(6)
    expect(await restored`select 1 from auth_challenges`).toHaveLength(0)
    expect(await restored`select 1 from mail_tokens`).toHaveLength(0)
  } finally {
    await other.close()
    await server.close()
    await storage.close()
  }
})
