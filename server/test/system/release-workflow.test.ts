import { execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { writeBill } from '../../../scripts/release/bill-of-materials.ts'
import { sectionOfRelease } from '../../../scripts/release/changelog.ts'
import { writeChecksums } from '../../../scripts/release/checksums.ts'
import { composeOfRelease } from '../../../scripts/release/files.ts'
import { notesOf } from '../../../scripts/release/notes.ts'
import { imageTags } from '../../../scripts/release/tags.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const image = `ghcr.io/ann/hither@sha256:${'0123456789abcdef'.repeat(4)}`
const fileOf = (path: string) => readFile(join(root, path), 'utf8')

describe('a release', () => {
  const changelog = '# Changelog\n\n## 0.2.0 (2026-12-01)\n\n### Pins\n\n- New.\n\n## 0.1.0\n\n- Old.\n'

  it('has the first section of the changelog, the digest and the checksums as its notes', () => {
    expect(sectionOfRelease('v0.2.0', '0.2.0', changelog)).toBe('### Pins\n\n- New.')
    const notes = notesOf('### Pins\n\n- New.', image, 'abc  a.deb\n')
    expect(notes).toMatch(/^### Pins/)
    expect(notes).toContain(`docker run --detach --name hither --publish 3000:3000 --volume hither:/data ${image}`)
    expect(notes).toContain('```\nabc  a.deb\n```')
  })

  it.each([
    ['v0.3.0', changelog, 'The tag is v0.3.0, but package.json has the version 0.2.0.'],
    [
      'v0.2.0',
      changelog.replace('0.2.0', 'Unreleased'),
      'The first section of CHANGELOG.md is "Unreleased (2026-12-01)"',
    ],
    ['v0.2.0', '# Changelog\n', 'The first section of CHANGELOG.md is ""'],
    ['v0.2.0', '## 0.2.0\n\n### Pins\n\n## 0.1.0\n\n- Old.\n', 'The section 0.2.0 of CHANGELOG.md is empty.'],
  ])('with the tag %s stops if versions differ or the section is missing or empty', (tag, text, sentence) => {
    expect(() => sectionOfRelease(tag, '0.2.0', text)).toThrow(sentence)
  })

  it('stops the workflow with the sentence', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/release/check.ts', 'v9.9.9'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^The tag is v9\.9\.9, but package\.json has the version .*\n$/)
  })

  it('gives its image the shorter tags only if it is the newest of its line', () => {
    expect(imageTags('v1.2.3', ['v1.2.3', 'v1.2.2', 'v0.9.0', 'v1.x'])).toEqual(['1.2.3', '1.2', '1', 'latest'])
    expect(imageTags('v1.2.3', ['v1.2.4'])).toEqual(['1.2.3'])
    expect(imageTags('v1.2.3', ['v1.10.0'])).toEqual(['1.2.3', '1.2'])
    expect(imageTags('v1.2.3', ['v2.0.0'])).toEqual(['1.2.3', '1.2', '1'])
    expect(() => imageTags('v1.2', [])).toThrow('v1.2 is no tag of a release')
  })

  it('names the image in its compose file and builds nothing', () => {
    const text = `# docker compose --file deploy/compose.yaml up --detach --build
services:
  hither:
    image: hither
    build: { context: .., dockerfile: deploy/Dockerfile }
    volumes: ["hither:/data"]
`
    const written = composeOfRelease(text, image)
    expect(parse(written)).toEqual({ services: { hither: { image, volumes: ['hither:/data'] } } })
    expect(written).not.toMatch(/build|deploy\//)
    expect(() => composeOfRelease('services: {}', image)).toThrow('no service hither')
  })

  it('gets the store templates by their command', async () => {
    const folder = await temporaryFolder()
    const command = ['scripts/release/templates.ts', '--image', image, folder]
    const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(await readdir(folder)).toContain('unraid-hither.xml')
  })

  it('lists every file with a checksum that sha256sum accepts', async () => {
    const folder = await temporaryFolder()
    for (const name of ['b.deb', 'a.tar.gz']) await writeFile(join(folder, name), name)
    await writeChecksums(folder)
    await writeChecksums(folder)
    const check = () => spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })
    expect(check()).toMatchObject({ status: 0, stdout: 'a.tar.gz: OK\nb.deb: OK\n' })
    await writeFile(join(folder, 'b.deb'), 'another')
    expect(check().status).toBe(1)
  })
})

interface Workflow {
  readonly on: unknown
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, WorkflowJob>>
}

interface WorkflowJob {
  readonly needs?: string | readonly string[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly {
    readonly name?: string
    readonly uses?: string
    readonly run?: string
    readonly with?: Record<string, unknown>
  }[]
}

describe('the workflow of a release', async () => {
  const text = await fileOf('.github/workflows/release.yml')
  const workflow = parse(text) as Workflow
  const jobs = Object.entries(workflow.jobs)
  const runs = jobs.flatMap(([job, { steps }]) => steps.flatMap(({ run }) => (run === undefined ? [] : [{ job, run }])))

  it('runs on tags of releases only', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } })
  })

  it('gives each job no more permissions than it needs, and uses no secret but its own token', () => {
    const read = { contents: 'read' }
    expect(workflow.permissions).toEqual({})
    expect(Object.fromEntries(jobs.map(([name, { permissions }]) => [name, permissions]))).toEqual({
      check: read,
      test: read,
      packages: read,
      image: { ...read, packages: 'write' },
      publish: { contents: 'write', packages: 'write', 'id-token': 'write', attestations: 'write' },
    })
    expect(text).not.toMatch(/\bsecrets\b/)
    for (const step of jobs.flatMap(([, { steps }]) => steps))
      if (step.uses?.startsWith('actions/checkout@')) expect(step.with?.['persist-credentials']).toBe(false)
  })

  it('stops for a wrong tag or changelog before anything else, and publishes after all of it has succeeded', () => {
    const { check, publish, ...others } = workflow.jobs
    expect(check?.needs).toBeUndefined()
    expect(check?.steps.at(-1)?.run).toBe('npm run release:check -- "$GITHUB_REF_NAME"')
    for (const { needs } of Object.values(others)) expect(needs).toBe('check')
    expect(publish?.needs).toEqual(['check', ...Object.keys(others)])
    const publishing = /imagetools create|gh release|--tag "\$image/
    expect([...new Set(runs.filter(({ run }) => publishing.test(run)).map(({ job }) => job))]).toEqual(['publish'])
  })

  it('calls npm scripts that exist', async () => {
    const { scripts } = JSON.parse(await fileOf('package.json')) as { scripts: Record<string, string> }
    const called = runs.flatMap(({ run }) =>
      [...run.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name),
    )
    expect(called).toEqual(
      expect.arrayContaining(['package:deb', 'package:linux', 'package:templates', 'release:notes', 'release:tags']),
    )
    for (const name of called) expect(scripts, name).toHaveProperty([name ?? ''])
  })

  it('writes the files and notes of a release, and tags its image, by the commands as they are', async () => {
    const folder = await copyOfRepository('# Changelog\n\n## 9.8.7 (2026-12-01)\n\n### Pins\n\n- New.\n')
    // Both write what they were called with. `docker` also answers as the registry does.
    const digest = `sha256:${'ab'.repeat(32)}`
    await mkdir(join(folder, 'bin'))
    await writeFile(
      join(folder, 'bin/docker'),
      `#!/bin/sh\necho "$*" >> docker.log\ncase "$*" in *inspect*) echo '{"digest":"${digest}"}';; esac\n`,
      { mode: 0o755 },
    )
    await writeFile(join(folder, 'bin/jq'), `#!/bin/sh\ngrep -o 'sha256:[0-9a-f]*'\n`, { mode: 0o755 })
    await mkdir(join(folder, 'digests'))
    for (const arch of ['amd64', 'arm64']) await writeFile(join(folder, 'digests', arch), `sha256:${arch}\n`)
    await mkdir(join(folder, 'release'))
    await writeFile(join(folder, 'release/hither_9.8.7_amd64.deb'), 'deb')
    const runStep = (name: string, variables: Record<string, string>) => {
      const step = workflow.jobs['publish']?.steps.find((one) => one.name === name)
      const answer = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? 'false'], {
        cwd: folder,
        encoding: 'utf8',
        env: {
          PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
          HOME: folder,
          GITHUB_REF_NAME: 'v9.8.7',
          GITHUB_REPOSITORY: 'Ann/Hither',
          GITHUB_OUTPUT: join(folder, 'output'),
          ...variables,
        },
      })
      expect(answer.status, answer.stderr).toBe(0)
    }
    runStep('Give the image its tags', {})
    expect(await readFile(join(folder, 'output'), 'utf8')).toBe(`name=ghcr.io/ann/hither\ndigest=${digest}\n`)
    const name = 'ghcr.io/ann/hither'
    expect((await readFile(join(folder, 'docker.log'), 'utf8')).split('\n')[0]).toBe(
      `buildx imagetools create --tag ${name}:9.8.7 --tag ${name}:9.8 --tag ${name}:9 --tag ${name}:latest ${name}@sha256:amd64 ${name}@sha256:arm64`,
    )
    runStep('Write the other files and the notes', { IMAGE: `${name}@${digest}` })
    const files = (await readdir(join(folder, 'release'))).toSorted()
    expect(files).toEqual([
      'SHA256SUMS',
      'casaos-docker-compose.yml',
      'compose.yaml',
      'hither-9.8.7.cdx.json',
      'hither_9.8.7_amd64.deb',
      'latest.json',
      'umbrel-app.yml',
      'umbrel-docker-compose.yml',
      'unraid-hither.xml',
    ])
    const checked = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], {
      cwd: join(folder, 'release'),
      encoding: 'utf8',
    })
    expect(checked.stdout.trim().split('\n')).toHaveLength(files.length - 1)
    expect(JSON.parse(await readFile(join(folder, 'release/latest.json'), 'utf8'))).toEqual({
      version: '9.8.7',
      notes_url: 'https://github.com/ann/hither/releases/tag/v9.8.7',
    })
    const notes = await readFile(join(folder, 'notes.md'), 'utf8')
    expect(notes).toMatch(/^### Pins\n\n- New\./)
    for (const part of [`hither:/data ${name}@${digest}`, ...files.slice(1)]) expect(notes).toContain(part)
  }, 120_000)

  it('has commands that bash can read, without expressions, whose values could be commands', () => {
    for (const { run } of runs) {
      expect(run).not.toContain('${{')
      expect(spawnSync('bash', ['-n', '-c', run], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
    }
  })
})

describe('the bill of materials', () => {
  it('is valid, names all libraries of a server and Node, and nothing of other platforms', async () => {
    const folder = await temporaryFolder()
    const file = await writeBill(folder)
    const text = await readFile(file, 'utf8')
    const bill = JSON.parse(text) as {
      specVersion: string
      components: { name: string; version: string; purl: string }[]
    }
    const { version, devDependencies } = JSON.parse(await fileOf('package.json')) as {
      version: string
      devDependencies: { node: string }
    }
    expect(basename(file)).toBe(`hither-${version}.cdx.json`)
    expect(bill.specVersion).toBe('1.5')
    const validate = await validator()
    expect(validate(bill), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
    expect(validate({ ...bill, components: [{ name: 'of no type' }] })).toBe(false)

    const named = bill.components.map((component) => `${component.name}@${component.version}`)
    expect(named).toContain(`node@${devDependencies.node}`)
    expect(
      named.filter((name) =>
        /darwin|win32|windows|-android-|freebsd|musl|wasm|ia32|armv7|-arm-|ppc64|s390x|riscv/.test(name),
      ),
    ).toEqual([])
    for (const workspace of ['server', 'web', 'contract']) {
      const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
        await fileOf(`${workspace}/package.json`),
      ) as {
        dependencies?: Record<string, string>
        optionalDependencies?: Record<string, string>
      }
      const needed = { ...dependencies, ...optionalDependencies }
      const expected = Object.keys(needed).filter((name) => !/hither|darwin|windows/.test(name))
      for (const name of expected)
        expect(
          bill.components.some(({ purl }) => purl.startsWith(`pkg:npm/${name.replace('@', '%40')}@`)),
          name,
        ).toBe(true)
    }

    expect(await readFile(await writeBill(await temporaryFolder()), 'utf8')).toBe(text)
  }, 120_000)
})

/** The schema of CycloneDX 1.5, with the two schemas that it refers to. */
async function validator() {
  const folder = join(
    createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
    '../res/schema',
  )
  const schemaOf = async (name: string) =>
    JSON.parse(await readFile(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8')) as { $id: string }
  const ajv = new Ajv.default({ strict: false })
  addFormats.default(ajv)
  // Formats that the library of formats does not know.
  ajv.addFormat('iri-reference', true)
  ajv.addFormat('idn-email', true)
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(await schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  return ajv.compile(await schemaOf('bom-1.5'))
}

describe('the repository', () => {
  it('names each action of a workflow by its commit, and says which version that is', async () => {
    const names = await readdir(join(root, '.github/workflows'))
    const texts = await Promise.all(names.map((name) => fileOf(`.github/workflows/${name}`)))
    const uses = texts.flatMap((text) => [...text.matchAll(/^ *(?:- )?uses: *(.*)$/gm)].map(([, use]) => use))
    expect(uses.length).toBeGreaterThan(10)
    for (const use of uses) expect(use).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('names only images of others, with a digest', async () => {
    const files = [
      ...(await readdir(join(root, 'deploy')))
        .map((name) => `deploy/${name}`)
        .filter((name) => /Dockerfile$|\.ya?ml$/.test(name)),
      ...(await readdir(join(root, '.github/workflows'))).map((name) => `.github/workflows/${name}`),
    ]
    const images: string[] = []
    for (const file of files) {
      const text = await fileOf(file)
      for (const [, name = ''] of text.matchAll(/^ *(?:FROM |ARG BASE=|image: *|container: *)([\w./:@-]+)/gm))
        images.push(name)
    }
    // What is built from the repository, and stages of the Dockerfile.
    const own = ['hither', 'manifests', 'image']
    const foreign = images.filter((name) => !own.includes(name))
    expect(foreign.length).toBeGreaterThan(2)
    for (const name of foreign)
      expect(name).toMatch(
        /^(?:node|caddy|postgres|valkey\/valkey|ghcr\.io\/versity\/versitygw):.+@sha256:[0-9a-f]{64}$/,
      )
    for (const file of ['README.md', 'docs/install.md', 'docs/operations.md'])
      expect(await fileOf(file)).not.toMatch(/(?:ghcr\.io|docker\.io|quay\.io)\/\w/)
  })
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hither-release-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** What the scripts of a release read, as a repository of its own with the version 9.8.7 and this changelog. */
async function copyOfRepository(changelog: string): Promise<string> {
  const folder = await temporaryFolder()
  const { workspaces } = JSON.parse(await fileOf('package.json')) as { workspaces: string[] }
  const sources = ['server/src/config', 'server/src/platform/errors', 'server/src/updates/update-file.ts']
  const parts = ['package-lock.json', 'scripts', 'deploy', ...sources]
  for (const path of [...parts, ...workspaces.map((name) => `${name}/package.json`)])
    await cp(join(root, path), join(folder, path), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const manifest = JSON.parse(await fileOf('package.json')) as object
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: '9.8.7' }))
  await writeFile(join(folder, 'CHANGELOG.md'), changelog)
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', ...words], { cwd: folder })
  git('init', '--quiet')
  git('add', 'CHANGELOG.md')
  git('commit', '--quiet', '--message', 'Release')
  git('tag', 'v9.8.7')
  return folder
}
