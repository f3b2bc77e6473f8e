import { createDecipheriv, createPrivateKey, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createConversation, sendMessage } from '@hither/contract/messages/messages.ts'
import { bech32 } from '@scure/base'
import type { Decrypter } from 'age-encryption'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { openFolder, type TestStorage } from '../../test/storages.ts'
import { archivesAmong } from './backups.rules.ts'
import { type BackupDeps, takeBackup } from './backups.service.ts'
import { createKeyPair, readIdentityFile } from './encryption.ts'
import { contentOf, depsOn, type Machine, openMachine, uploadPicture } from './harness.ts'
import { restoreBackup, verifyArchive } from './restore.service.ts'

const marked = 'Meet me behind the old boathouse'
const wrong = "This identity can't open the backup. Nothing was changed."

let storage: TestStorage
let server: TestServer
let deps: BackupDeps
let folder: string
let keysFolder: string
let other: Machine
let ann: Person
let [first, second] = [
  { publicKey: '', privateKey: '' },
  { publicKey: '', privateKey: '' },
]

beforeEach(async () => {
  ;[first, second] = [await createKeyPair(), await createKeyPair()]
  storage = await openFolder()
  // Another disk: not below the data folder.
  folder = await mkdtemp(join(tmpdir(), 'hither-backups-'))
  keysFolder = await mkdtemp(join(tmpdir(), 'hither-keys-'))
  server = await startServer(storage.environment)
  deps = depsOn(server.db, {
    ...storage.environment,
    BACKUP_DIR: folder,
    BACKUP_RECIPIENT: `${first.publicKey}, ${second.publicKey}`,
  })
  other = await openMachine()
  ann = await server.signUp('ann')
  const bob = await server.signUp('bob')
  await server.befriend(ann, bob)
  const { body: chat } = await server.call(createConversation, { body: { participant_ids: [bob.id] } }, ann)
  await server.call(sendMessage, { body: { conversation_id: chat.id, content: marked } }, ann)
  await uploadPicture(server, '/api/files/profile-image', ann)
})

afterEach(async () => {
  await server.close()
  await storage.close()
  await other.close()
  for (const path of [folder, keysFolder]) await rm(path, { recursive: true })
})

async function identityOf(...lines: string[]): Promise<Decrypter> {
  const path = join(keysFolder, 'identity.txt')
  await writeFile(path, `# created: 2026-11-26T03:00:00Z\n\n${lines.join('\n')}\n`)
  return readIdentityFile(path)
}

/** The contents of all files in the folder, as text in which a marked text would be found. */
async function textIn(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n')
}

describe('an encrypted backup', () => {
  it.each(['nightly', 'migration', 'manual'] as const)('made as a %s one is an age file', async (kind) => {
    const { path } = await takeBackup(deps, kind)
    expect(path).toMatch(new RegExp(`-${kind}\\.tar\\.gz\\.age$`))
    expect((await readFile(path, 'latin1')).startsWith('age-encryption.org/v1\n')).toBe(true)
  })

  it('puts its rows into no file of the folder of backups, not even while it is made', async () => {
    const [rows, backups]: [string[], string[]] = [[], []]
    const watched: BackupDeps = {
      ...deps,
      storage: {
        ...deps.storage,
        async get(key) {
          backups.push(await textIn(folder))
          rows.push(...(await readdir(join(deps.dataDir, 'backup-work'))))
          return deps.storage.get(key)
        },
      },
    }
    await takeBackup(watched, 'manual')
    expect(rows).toHaveLength(2)
    expect(backups).toHaveLength(2)
    for (const text of backups) expect(text).not.toContain(marked)
    expect(await textIn(folder)).not.toContain(marked)
    expect(await readdir(folder)).toHaveLength(1)
    expect(await readdir(join(deps.dataDir, 'backup-work'))).toEqual([])
  })

  it('restores every row and file with either of its keys', async () => {
    const before = await contentOf(server.db)
    const { path } = await takeBackup(deps, 'manual')
    for (const { privateKey } of [first, second]) {
      const machine = await openMachine()
      try {
        const decrypter = await identityOf(privateKey)
        expect(await restoreBackup(machine.deps, { path, decrypter, force: false })).toMatchObject({ files: 2 })
        const after = await contentOf(machine.deps.pool)
        for (const table of ['users', 'messages', 'chats', 'images', 'friendships'])
          expect(after[table], table).toEqual(before[table])
        expect(Object.keys(after)).toEqual(Object.keys(before))
        expect(await machine.storage.listFiles()).toHaveLength(2)
      } finally {
        await machine.close()
      }
    }
  })

  it('is not restored without an identity or with another one', async () => {
    const { path } = await takeBackup(deps, 'manual')
    await expect(restoreBackup(other.deps, { path, force: false })).rejects.toThrow(
      'This backup is encrypted. Add --identity FILE.',
    )
    const stranger = await identityOf((await createKeyPair()).privateKey)
    await expect(restoreBackup(other.deps, { path, decrypter: stranger, force: false })).rejects.toThrow(wrong)
    await expect(identityOf('no key at all')).rejects.toThrow(wrong)
    await expect(identityOf(first.publicKey)).rejects.toThrow(wrong)
    expect(await contentOf(other.deps.pool)).toEqual({})
  })

  it('is refused if one byte has changed or its end is missing, before anything is modified', async () => {
    const decrypter = await identityOf(first.privateKey)
    const { path } = await takeBackup(deps, 'manual')
    const bytes = await readFile(path)
    const afterHeader = bytes.indexOf('\n---') + 60
    const copy = join(folder, 'changed.tar.gz.age')
    const isRefused = async (changed: Buffer, where: string) => {
      await writeFile(copy, changed)
      await expect(restoreBackup(other.deps, { path: copy, decrypter, force: true }), where).rejects.toThrow(
        `The backup ${copy} is damaged or not complete. Nothing was changed.`,
      )
    }
    for (const at of [afterHeader, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      await isRefused(flipped, `byte ${at}`)
    }
    for (const length of [bytes.length - 1, bytes.length - 17, Math.floor(bytes.length / 2), afterHeader, 30])
      await isRefused(bytes.subarray(0, length), `${length} bytes`)
    expect(await contentOf(other.deps.pool)).toEqual({})
  })

  it('is, decrypted by another program, the archive that is made without encryption', async () => {
    const { path } = await takeBackup(deps, 'manual')
    const unencrypted: BackupDeps = { ...deps, settings: { ...deps.settings, recipients: [] } }
    const plain = await takeBackup(unencrypted, 'manual')
    expect(plain.path).toMatch(/-manual\.tar\.gz$/)
    const tar = gunzipSync(decryptedByHand(await readFile(path), second.privateKey))
    const copy = join(folder, 'decrypted.tar.gz')
    await writeFile(copy, decryptedByHand(await readFile(path), second.privateKey))
    const [decrypted, today] = [await verifyArchive({ path: copy }), await verifyArchive({ path: plain.path })]
    expect({ ...decrypted, made_at: '' }).toEqual({ ...today, made_at: '' })
    expect(tar.includes(marked)).toBe(true)
    expect(tar.length).toBe(gunzipSync(await readFile(plain.path)).length)
  })

  it('is not counted among the unencrypted backups in the status for admins', async () => {
    await takeBackup({ ...deps, settings: { ...deps.settings, recipients: [] } }, 'manual')
    const { path } = await takeBackup(deps, 'nightly')
    const { getBackupStatus } = await import('./backups.service.ts')
    const [, newest] = archivesAmong(await readdir(folder))
    expect(join(folder, newest?.name ?? '')).toBe(path)
    expect(await getBackupStatus(deps.settings)).toEqual({
      is_on: true,
      keep_days: 14,
      newest_at: newest?.madeAt.toISOString(),
      is_encrypted: true,
      unencrypted_count: 1,
    })
  })
})

/** Reads the age format (age-encryption.org/v1, X25519) with Node's own cryptography. */
function decryptedByHand(file: Buffer, identity: string): Buffer {
  const headerEnd = file.indexOf('\n', file.indexOf('\n---') + 1) + 1
  const header = file.toString('latin1', 0, headerEnd)
  const scalar = Buffer.from(bech32.decodeToBytes(identity).bytes)
  const der = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), scalar])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const rawOf = (key: ReturnType<typeof createPublicKey>) => key.export({ format: 'der', type: 'spki' }).subarray(12)
  const recipient = rawOf(createPublicKey(privateKey))
  let fileKey: Buffer | null = null
  for (const [, share = '', body = ''] of header.matchAll(/-> X25519 (\S+)\n(\S+)\n/g)) {
    const ephemeral = Buffer.from(share, 'base64')
    const publicKey = createPublicKey({
      key: Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), ephemeral]),
      format: 'der',
      type: 'spki',
    })
    const secret = diffieHellman({ privateKey, publicKey })
    const salt = Buffer.concat([ephemeral, recipient])
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'age-encryption.org/v1/X25519', 32))
    try {
      fileKey = opened(key, Buffer.alloc(12), Buffer.from(body, 'base64'))
    } catch {
      // The part of another recipient.
    }
  }
  if (!fileKey) throw new Error('No recipient')
  const payload = file.subarray(headerEnd + 16)
  const nonce = file.subarray(headerEnd, headerEnd + 16)
  const key = Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32))
  const size = 64 * 1024 + 16
  const parts: Buffer[] = []
  for (let index = 0; index * size < payload.length; index++) {
    const counter = Buffer.alloc(12)
    counter.writeUInt32BE(index, 7)
    if ((index + 1) * size >= payload.length) counter[11] = 1
    parts.push(opened(key, counter, payload.subarray(index * size, (index + 1) * size)))
  }
  return Buffer.concat(parts)
}

function opened(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
}
