import { root, run, tool } from '../run.ts'

const projects = ['contract', 'server', 'web', 'web/src/service-worker', 'e2e', 'bench', 'mobile', 'scripts']

/** Checks the types of all projects. What it finds out about unchanged files is stored in `.tmp`, so that a second run is fast. */
let isBroken = false
for (const project of projects) {
  const stored = `${root}.tmp/types/${project.replaceAll('/', '-')}.tsbuildinfo`
  const args = ['--noEmit', '--incremental', '--tsBuildInfoFile', stored, '-p', root + project]
  isBroken = (await run(tool('tsc'), args)) !== 0 || isBroken
}
if (isBroken) process.exitCode = 1
