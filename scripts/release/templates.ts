import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { type Setting, settings } from '../../server/src/config/settings.ts'
import { root } from '../run.ts'
import { sentence } from '../settings-files.ts'
import { imageOf } from './image.ts'

const title = 'Hither'
const tagline = 'Drop a pin. Friends come hither.'
const description =
  'A social app for friends who want to meet: time-limited pins on a map, answers and chat. One container, no keys, no tracking.'
/** Inside of the container. The host may have another one. */
const port = 3000
const offered = settings.filter(({ in_templates }) => in_templates)
const variables = offered.filter(({ name }) => name !== 'PORT')
// An empty value counts as missing.
const environment = Object.fromEntries(variables.map(({ name, default: text }) => [name, text ?? '']))

export function templatesOf(image: string | undefined, version: string): Record<string, string> {
  const { reference, source } = imageOf(image)
  return {
    'unraid-hither.xml': unraid(reference, source, version),
    'casaos-docker-compose.yml': stringify(casaos(reference, source, version)),
    'umbrel-app.yml': stringify(umbrelApp(source, version)),
    'umbrel-docker-compose.yml': stringify(umbrelCompose(reference)),
  }
}

/** What every container of Hither gets, as in `deploy/compose.yaml`. */
const restricted = {
  restart: 'unless-stopped',
  stop_grace_period: '30s',
  read_only: true,
  tmpfs: ['/tmp'],
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
}

function iconOf(source: string, version: string): string {
  return `${source}/raw/v${version}/web/public/icons/icon-512.png`
}

/** A template of version 2. Folders of `appdata` belong to nobody:users. */
function unraid(image: string, source: string, version: string): string {
  const elements = {
    Name: 'hither',
    Repository: image,
    Registry: source,
    Network: 'bridge',
    Shell: 'sh',
    Privileged: 'false',
    Support: `${source}/issues`,
    Project: source,
    Overview: description,
    Category: 'Network:Messenger Status:Stable',
    WebUI: `http://[IP]:[PORT:${port}]/`,
    Icon: iconOf(source, version),
    ExtraParams:
      '--user 99:100 --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --stop-timeout 30',
  }
  const folder = '/mnt/user/appdata/hither'
  const configs = [
    configOf({
      name: 'PORT',
      target: String(port),
      value: String(port),
      mode: 'tcp',
      type: 'Port',
      text: 'The port of the web app.',
    }),
    configOf({
      name: 'Data',
      target: '/data',
      value: folder,
      mode: 'rw',
      type: 'Path',
      text: 'Database, pictures and backups.',
    }),
    ...variables.map((setting) =>
      configOf({
        name: setting.name,
        target: setting.name,
        value: setting.default ?? '',
        mode: '',
        type: 'Variable',
        text: sentence(setting.description),
        isSecret: setting.is_secret,
      }),
    ),
  ]
  const lines = Object.entries(elements).map(([name, text]) => `  <${name}>${escaped(text)}</${name}>`)
  return `<?xml version="1.0"?>\n<Container version="2">\n${[...lines, ...configs].join('\n')}\n</Container>\n`
}

interface Config {
  readonly name: string
  readonly target: string
  readonly value: string
  readonly mode: string
  readonly type: 'Port' | 'Path' | 'Variable'
  readonly text: string
  readonly isSecret?: boolean
}

function configOf({ name, target, value, mode, type, text, isSecret = false }: Config): string {
  const attributes = {
    Name: name,
    Target: target,
    Default: value,
    Mode: mode,
    Description: text,
    Type: type,
    Display: 'always',
    Required: String(type !== 'Variable'),
    Mask: String(isSecret),
  }
  const written = Object.entries(attributes).map(([key, item]) => `${key}="${escaped(item)}"`)
  return `  <Config ${written.join(' ')}>${escaped(value)}</Config>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function casaos(image: string, source: string, version: string): object {
  const explained = ({ name, description: text }: Setting) => ({
    container: name,
    description: { en_US: sentence(text) },
  })
  return {
    name: 'hither',
    services: {
      hither: {
        image,
        container_name: 'hither',
        ...restricted,
        environment,
        ports: [{ target: port, published: port, protocol: 'tcp' }],
        // A named volume gets the user of the image; a folder below /DATA would belong to root.
        volumes: [{ type: 'volume', source: 'data', target: '/data' }],
        'x-casaos': {
          envs: variables.map(explained),
          ports: [{ container: String(port), description: { en_US: 'The port of the web app.' } }],
          volumes: [{ container: '/data', description: { en_US: 'Database, pictures and backups.' } }],
        },
      },
    },
    volumes: { data: {} },
    'x-casaos': {
      id: 'hither',
      main: 'hither',
      index: '/',
      port_map: String(port),
      scheme: 'http',
      title: { en_US: title },
      icon: iconOf(source, version),
      tagline: { en_US: tagline },
      description: { en_US: description },
      author: title,
      developer: title,
      category: 'Social',
      architectures: ['amd64', 'arm64'],
      version,
      website: source,
      repo: source,
      support: `${source}/issues`,
      docs: `${source}/blob/v${version}/docs/install.md`,
    },
  }
}

function umbrelApp(source: string, version: string): object {
  return {
    manifestVersion: 1,
    id: 'hither',
    category: 'social',
    name: title,
    version,
    tagline,
    description,
    releaseNotes: `${source}/releases/tag/v${version}`,
    developer: title,
    website: source,
    dependencies: [],
    repo: source,
    support: `${source}/issues`,
    port,
    gallery: [],
    path: '',
    defaultUsername: '',
    defaultPassword: '',
    submitter: title,
    submission: source,
  }
}

function umbrelCompose(image: string): object {
  return {
    services: {
      // Friends have accounts of Hither and none of Umbrel.
      app_proxy: { environment: { APP_HOST: 'hither_server_1', APP_PORT: port, PROXY_AUTH_ADD: 'false' } },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Umbrel replaces it.
      server: { image, user: '1000:1000', ...restricted, environment, volumes: ['${APP_DATA_DIR}/data:/data'] },
    },
  }
}

/**
 * `npm run package:templates -- --image NAME@DIGEST [FOLDER]`: writes the files with which other systems install the image. At the
 * end of the file, after the constants that the functions need.
 */
if (import.meta.main) {
  const { values, positionals } = parseArgs({ options: { image: { type: 'string' } }, allowPositionals: true })
  const [folder = '.'] = positionals
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { version: string }
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(templatesOf(values.image, version)))
    await writeFile(join(folder, name), text)
}
