import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Config } from '../config.ts'
import { readTar, writeTar } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { withBackupFile, writeMoveFile } from './move-file.ts'

const archiveName = 'hither-20261121T020000123Z-manual.tar.gz'
const archiveBytes = gzipSync('rows and pictures')
const tombstones = '{"kind":"user","id_hash":"a","erased_at":"2026-11-20T00:00:00.000Z"}\n'
let folder: string
let config: Pick<Config, 'backups' | 'dataDir'>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-move-'))
  const backups = { isOn: true, folder: join(folder, 'backups'), keepDays: 14, recipients: [] }
  config = { backups, dataDir: folder }
  await mkdir(backups.folder)
  await writeFile(join(backups.folder, archiveName), archiveBytes)
  await writeFile(join(backups.folder, 'tombstones.jsonl'), tombstones)
  await writeFile(join(folder, 'hither.env'), 'SMTP_URL=smtp://old\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function write(settingsFile: string | null = join(folder, 'hither.env')): Promise<string> {
  const target = join(folder, 'move.tar')
  const { backups: settings } = config
  await writeMoveFile({ target, archive: join(settings.folder, archiveName), settings, settingsFile })
  return target
}

/** The files beside the archive at the time of the restore, without the lock of their folder. */
const readBeside = async (path: string) => {
  const names = (await readdir(dirname(path))).filter((name) => name !== 'running.lock').toSorted()
  return Promise.all(names.map(async (name) => [name, await readFile(join(dirname(path), name))]))
}

it('a file has the backup, the list of deleted data and the settings, and a restore reads all of them', async () => {
  const target = await write()
  expect((await stat(target)).mode & 0o777).toBe(0o600)
  // The file has the backup, so that no second copy stays behind.
  expect(await readdir(config.backups.folder)).toEqual(['tombstones.jsonl'])
  const { restored, oldSettings } = await withBackupFile(target, config, readBeside)
  expect(restored).toEqual([
    [archiveName, archiveBytes],
    ['hither.env', Buffer.from('SMTP_URL=smtp://old\n')],
    ['tombstones.jsonl', Buffer.from(tombstones)],
  ])
  expect(oldSettings).toBe(join(folder, 'old-machine.env'))
  expect(await readFile(join(folder, 'old-machine.env'), 'utf8')).toBe('SMTP_URL=smtp://old\n')
  expect(await readdir(config.backups.folder)).toEqual(['tombstones.jsonl'])
})

it('a server without deletions and settings has a file too', async () => {
  await rm(join(config.backups.folder, 'tombstones.jsonl'))
  const { restored, oldSettings } = await withBackupFile(await write(null), config, readBeside)
  expect(restored).toEqual([
    [archiveName, archiveBytes],
    ['tombstones.jsonl', Buffer.alloc(0)],
  ])
  expect(oldSettings).toBeNull()
})

it('an archive of the backup folder is restored where it is', async () => {
  const path = join(config.backups.folder, archiveName)
  expect(await withBackupFile(path, config, async (given) => given)).toEqual({ restored: path, oldSettings: null })
})

it('a file that is cut at any byte is refused before anything is restored', async () => {
  const whole = await readFile(await write())
  const cut = join(folder, 'cut.tar')
  for (let bytes = 0; bytes < whole.byteLength; bytes += 61) {
    await writeFile(cut, whole.subarray(0, bytes))
    await expect(withBackupFile(cut, config, never), `cut at byte ${bytes}`).rejects.toThrow(BackupError)
  }
  await writeFile(cut, whole.subarray(0, -1))
  await expect(withBackupFile(cut, config, never)).rejects.toThrow(BackupError)
  expect(never).not.toHaveBeenCalled()
  expect((await readdir(folder)).toSorted()).toEqual(['backup-work', 'backups', 'cut.tar', 'hither.env', 'move.tar'])
  expect(await readdir(join(folder, 'backup-work'))).toEqual([])
  expect(await readdir(config.backups.folder)).toEqual(['tombstones.jsonl'])
})

it('an existing file is not overwritten', async () => {
  await writeFile(join(folder, 'move.tar'), 'mine')
  await expect(write()).rejects.toThrow(/EEXIST/)
  expect(await readFile(join(folder, 'move.tar'), 'utf8')).toBe('mine')
})

it.each(['../evil', '/etc/passwd', 'hither.service', `folder/${archiveName}`])(
  'a file with the entry %s is refused',
  async (name) => {
    const path = join(folder, 'forged.tar')
    await writeEntries(path, [name, archiveName])
    await expect(withBackupFile(path, config, never)).rejects.toThrow(BackupError)
    expect(await readdir(folder)).not.toContain('evil')
  },
)

it('a file without a backup, and one with two, are refused', async () => {
  const path = join(folder, 'forged.tar')
  await writeEntries(path, ['tombstones.jsonl'])
  await expect(withBackupFile(path, config, never)).rejects.toThrow('has no backup in it')
  await writeEntries(path, [archiveName, archiveName.replace('manual', 'nightly')])
  await expect(withBackupFile(path, config, never)).rejects.toThrow(BackupError)
})

it('an entry may have more than eight gigabytes', async () => {
  const size = 9_000_000_000
  const output = new PassThrough()
  const blocks = async function* () {
    for (;;) yield Buffer.alloc(512)
  }
  const writing = writeTar(output, only({ name: archiveName, size, content: blocks() }))
  const { value } = await readTar(output, 'large').next()
  expect(value).toMatchObject({ name: archiveName, size })
  output.destroy()
  await expect(writing).rejects.toThrow()
})

const never = vi.fn(async () => undefined)

async function* only<T>(...values: T[]): AsyncGenerator<T> {
  yield* values
}

async function writeEntries(path: string, names: readonly string[]): Promise<void> {
  const output = new PassThrough()
  const chunks: Buffer[] = []
  output.on('data', (chunk: Buffer) => chunks.push(chunk))
  const content = [Buffer.from('x')]
  await writeTar(output, only(...names.map((name) => ({ name, size: 1, content }))))
  await writeFile(path, Buffer.concat(chunks))
}
