import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { root, run, tool } from '../run.ts'

const projects = ['contract', 'server', 'web', 'web/src/service-worker', 'e2e', 'bench', 'mobile', 'scripts']
const folder = '.tmp/types/'

interface Config {
  readonly compilerOptions?: object
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
}

/**
 * Checks the types of all projects. Those with the same options are checked as one program, because most of them import the
 * server, which would be checked again in each. What it finds out about unchanged files is stored in `.tmp`, so that a second
 * run is fast.
 */
await mkdir(root + folder, { recursive: true })
const configs = await Promise.all(
  projects.map(async (project) => {
    const config = JSON.parse(await readFile(`${root}${project}/tsconfig.json`, 'utf8')) as Config
    const inProject = (pattern: string) => `../../${project}/${pattern}`
    return { ...config, include: config.include.map(inProject), exclude: config.exclude?.map(inProject) ?? [] }
  }),
)
const programs = Object.values(Object.groupBy(configs, ({ compilerOptions = {} }) => JSON.stringify(compilerOptions)))
let isBroken = false
for (const [index, parts = []] of programs.entries()) {
  const config = `${root}${folder}${index}.json`
  const content = {
    extends: '../../tsconfig.base.json',
    compilerOptions: parts[0]?.compilerOptions ?? {},
    include: parts.flatMap(({ include }) => include),
    exclude: parts.flatMap(({ exclude }) => exclude),
  }
  await writeFile(config, JSON.stringify(content))
  const stored = `${root}${folder}${index}.tsbuildinfo`
  const args = ['--noEmit', '--incremental', '--tsBuildInfoFile', stored, '-p', config]
  isBroken = (await run(tool('tsc'), args)) !== 0 || isBroken
}
if (isBroken) process.exitCode = 1
