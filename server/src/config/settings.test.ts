import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compareWithReader, settingsFiles } from '../../../scripts/settings-files.ts'
import { readConfig } from '../config.ts'
import { renamedSettings, settings } from './settings.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const oldNames = renamedSettings.map(([oldName]) => oldName)

describe('the list of settings', () => {
  it('has exactly the settings that the server reads, each once', () => {
    expect(compareWithReader(readConfig, settings, oldNames)).toEqual({ unlisted: [], unread: [] })
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length)
  })

  it('reports a setting that only the server reads, and one that it does not read', () => {
    const readOneMore = (environment: Record<string, string | undefined>) => {
      readConfig(environment)
      return environment['UNLISTED']
    }
    expect(compareWithReader(readOneMore, settings, oldNames).unlisted).toEqual(['UNLISTED'])
    const oneMore = [...settings, { name: 'UNREAD' }]
    expect(compareWithReader(readConfig, oneMore, oldNames).unread).toEqual(['UNREAD'])
  })

  it('names defaults that change nothing', () => {
    for (const { name, default: text } of settings)
      if (text !== null) expect(readConfig({ [name]: text }), name).toEqual(readConfig({}))
  })

  it('offers those in the templates that nearly every server needs', () => {
    const offered = settings.filter(({ in_templates }) => in_templates).map(({ name }) => name)
    expect(offered.toSorted()).toEqual(['MAIL_FROM', 'PORT', 'PUBLIC_URL', 'SERVER_NAME', 'SMTP_URL', 'TRUST_PROXY'])
  })

  it('marks every setting whose text may contain a password, a key or a token', () => {
    const secrets = settings.filter(({ is_secret }) => is_secret).map(({ name }) => name)
    const named = settings
      .filter(
        ({ name, description }) =>
          /SECRET|TOKEN|PRIVATE|MAP_KEY/.test(name) || /password@|KEY:SECRET/.test(description),
      )
      .map(({ name }) => name)
    expect(secrets).toEqual(expect.arrayContaining(named))
    expect(secrets).toEqual(expect.arrayContaining(['DATABASE_URL', 'REDIS_URL']))
  })
})

describe.each(settingsFiles)('the settings in $path', ({ path, write }) => {
  it('are those of the list', async () => {
    const present = await readFile(root + path, 'utf8')
    expect(write(present, settings)).toBe(present)
  })

  it('are outdated after an edit, and after a change of the list', async () => {
    const present = await readFile(root + path, 'utf8')
    const edited = present
      .replace('65536', '')
      .replace('how many days', 'how many weeks')
      .replace('How many', 'So many')
    expect(edited).not.toBe(present)
    expect(write(edited, settings)).toBe(present)
    expect(write(present, settings.slice(1))).not.toBe(present)
  })
})

describe('the file of settings of the package', () => {
  it('sets nothing, and each line of it is accepted without its mark', async () => {
    const text = await readFile(`${root}deploy/hither.env`, 'utf8')
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
    const lines = [...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)]
    expect(lines.length).toBe(settings.length - 1)
    expect(readConfig(Object.fromEntries(lines.map(([, name = '', value]) => [name, value])))).toEqual(readConfig({}))
  })
})
