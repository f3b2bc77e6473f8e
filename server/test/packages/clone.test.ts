import { spawn, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { finished } from './machine.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Without what npm tells its scripts: the tests may be one. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
/** The npm that Node 20.19 and 22 bring. */
const npm10 = ['--yes', 'npm@10']

it('npm 10 installs all libraries of a clone and changes no lock file', async (context) => {
  const isReachable = spawnSync('npx', [...npm10, '--version'], { cwd: tmpdir(), env, timeout: 60_000 }).status === 0
  if (!isReachable && process.env['CI'] !== 'true') context.skip('the npm registry cannot be reached')
  const folder = await mkdtemp(join(tmpdir(), 'hither-clone-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  const manifests = ['package.json', 'package-lock.json', ...workspaces.map((name) => join(name, 'package.json'))]
  for (const path of manifests) await cp(join(root, path), join(folder, path), { recursive: true })
  const options = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  const { code, stderr } = await finished(spawn('npx', [...npm10, ...options], { cwd: folder, env }))
  expect(code, stderr).toBe(0)
  for (const path of manifests)
    expect(await readFile(join(folder, path), 'utf8'), path).toBe(await readFile(join(root, path), 'utf8'))
  expect(await readdir(join(folder, 'node_modules'))).toContain('fastify')
})

it('no page and no manifest demands a version of npm', async () => {
  const pages = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  for (const page of ['README.md', 'CONTRIBUTING.md', ...pages])
    expect(await readFile(join(root, page), 'utf8'), page).not.toMatch(
      /\bnpm@|\bnpm \d|npm install (?:--global|-g) npm/,
    )
  const { engines, packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    engines: object
    packageManager?: string
  }
  expect(Object.keys(engines)).toEqual(['node'])
  expect(packageManager).toBeUndefined()
})
