import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const locales = fileURLToPath(new URL('../../locales/', import.meta.url))
const folder = `${locales}compiled/`
const groups = ['visitor', 'home', 'rest']

/**
 * Adds the compiled texts of each language and its names of emoji to the build, with a hash of their content in their names, and
 * their addresses to the page. The development server sends them from where they are.
 */
export function texts(): Plugin {
  let isBuild = false
  return {
    name: 'texts',
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    buildStart() {
      if (!isBuild) return
      for (const { fileName, source } of filesOfTexts()) this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml(html) {
      const addresses: Record<string, Record<string, string>> = {}
      for (const { tag, group, path, fileName } of filesOfTexts()) {
        addresses[tag] ??= {}
        addresses[tag][group] = isBuild ? `/${fileName}` : `/@fs${path}`
      }
      return html.replace('id="texts">{}<', `id="texts">${JSON.stringify(addresses)}<`)
    },
  }
}

function filesOfTexts() {
  return readdirSync(folder)
    .sort()
    .flatMap((tag) =>
      [
        ...groups.map((group) => ({ group, path: `${folder}${tag}/${group}.json` })),
        { group: 'emoji', path: `${locales}${tag}/emoji.json` },
      ].flatMap(({ group, path }) => {
        // The English names of emoji are in the list of emoji.
        if (!existsSync(path)) return []
        // Without the line breaks that make the file readable in a review.
        const source = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
        return [{ tag, group, path, source, fileName: `assets/texts/${tag}-${group}-${hash}.json` }]
      }),
    )
}
