import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Fills the folder `image` with what the last stage of `deploy/Dockerfile` copies, and with links to the libraries of this repository. */
export async function layOutImage(image: string): Promise<void> {
  const last = (await readFile(join(root, 'deploy/Dockerfile'), 'utf8')).split(/^FROM /m).at(-1) ?? ''
  for (const [, line = ''] of last.matchAll(/^COPY (?!--from)(.+)$/gm)) {
    const names = line.split(' ')
    const target = names.pop() ?? ''
    for (const name of names) {
      const to = join(
        image,
        target.endsWith('/') ? join(target, name.split('/').at(-1) ?? '') : target === './' ? name : target,
      )
      await mkdir(dirname(to), { recursive: true })
      await cp(join(root, name), to, { recursive: true })
    }
  }
  await mkdir(join(image, 'node_modules/@hither'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@hither') await symlink(join(root, 'node_modules', name), join(image, 'node_modules', name))
  for (const name of ['contract', 'server'])
    await symlink(join('../..', name), join(image, 'node_modules/@hither', name))
}
