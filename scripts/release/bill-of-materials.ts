import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../run.ts'

const execute = promisify(execFile)

interface Bill {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; 'bom-ref': string } }
  components: { name: string; version: string; 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** An entry of `packages` in `package-lock.json`. */
interface Locked {
  readonly version?: string
  readonly os?: string[]
  readonly cpu?: string[]
  readonly libc?: string[]
}

const workspaces = ['server', 'contract', 'locales', 'web'].map((name) => `@hither/${name}`)

/** `npm run release:materials -- FOLDER`: writes `hither-VERSION.cdx.json`. */
if (import.meta.main) await writeBill(process.argv[2] ?? '.')

export async function writeBill(folder: string): Promise<string> {
  const { version, devDependencies } = await jsonOf<{ version: string; devDependencies: { node: string } }>(
    'package.json',
  )
  const { stdout } = await execute(
    'npm',
    [
      ...['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
      ...workspaces.flatMap((name) => ['--workspace', name]),
    ],
    { cwd: root, maxBuffer: 64_000_000 },
  )
  const [commit = '', seconds = ''] = (await execute('git', ['log', '-1', '--format=%H %ct'], { cwd: root })).stdout
    .trim()
    .split(' ')
  const { packages } = await jsonOf<{ packages: Record<string, Locked> }>('package-lock.json')
  const bill = JSON.parse(stdout) as Bill
  bill.serialNumber = `urn:uuid:${uuidOf(commit)}`
  bill.metadata.timestamp = new Date(Number(process.env['SOURCE_DATE_EPOCH'] ?? seconds) * 1000).toISOString()
  // npm takes the name of the folder.
  bill.metadata.component.name = 'hither'
  const complete = withNode(forLinux(await forProduction(bill), packages), devDependencies.node)
  const file = join(folder, `hither-${version}.cdx.json`)
  await writeFile(file, `${JSON.stringify(complete, null, 2)}\n`)
  return file
}

/**
 * Removes what only development needs from what the root and the workspaces depend on. `npm sbom --omit dev` would leave out
 * every library that any workspace names as a development dependency, fastify among them.
 */
async function forProduction(bill: Bill): Promise<Bill> {
  const needed = new Map<string, readonly string[]>([[nameOf(bill.metadata.component['bom-ref']), []]])
  for (const workspace of workspaces) {
    const { dependencies = {}, optionalDependencies = {} } = await jsonOf<{
      dependencies?: Record<string, string>
      optionalDependencies?: Record<string, string>
    }>(`${workspace.replace('@hither/', '')}/package.json`)
    needed.set(workspace, Object.keys({ ...dependencies, ...optionalDependencies }))
  }
  const dependencies = bill.dependencies.map(({ ref, dependsOn }) => {
    const names = needed.get(nameOf(ref))
    return {
      ref,
      dependsOn: names === undefined ? dependsOn : dependsOn.filter((other) => names.includes(nameOf(other))),
    }
  })
  return { ...bill, dependencies }
}

/** The name in a reference such as `@scope/name@1.2.3`. */
function nameOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf('@'))
}

/** Removes the packages that no release contains: those of other platforms, and what nothing else needs. */
function forLinux(bill: Bill, packages: Readonly<Record<string, Locked>>): Bill {
  const others = new Set(
    Object.entries(packages)
      .filter(([, locked]) => !isForLinux(locked))
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
  )
  const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const kept = new Set<string>()
  const waiting = [
    bill.metadata.component['bom-ref'],
    ...bill.components.map((component) => component['bom-ref']).filter((ref) => workspaces.includes(nameOf(ref))),
  ]
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (kept.has(ref) || others.has(ref)) continue
    kept.add(ref)
    waiting.push(...(needs.get(ref) ?? []))
  }
  return {
    ...bill,
    components: bill.components.filter((component) => kept.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
  }
}

/** Releases are for Linux with glibc on x64 and arm64. */
function isForLinux({ os, cpu, libc }: Locked): boolean {
  return (
    (os === undefined || os.includes('linux')) &&
    (cpu === undefined || cpu.includes('x64') || cpu.includes('arm64')) &&
    (libc === undefined || libc.includes('glibc'))
  )
}

/** Adds Node, which package and archive contain and the production dependencies do not name. */
function withNode(bill: Bill, version: string): Bill {
  const ref = `node@${version}`
  const node = {
    'bom-ref': ref,
    type: 'application',
    name: 'node',
    version,
    scope: 'required',
    purl: `pkg:generic/node@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
  }
  return {
    ...bill,
    components: [...bill.components, node],
    dependencies: [...bill.dependencies, { ref, dependsOn: [] }],
  }
}

/** A UUID that is the same for each run with one commit. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

async function jsonOf<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(root + path, 'utf8')) as T
}
