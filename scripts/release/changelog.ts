/**
 * Returns the text of the first section of a changelog. Throws an error with a sentence if the tag, the version of
 * `package.json` and the title of that section differ, or if the section says nothing.
 */
export function sectionOfRelease(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but package.json has the version ${version}.`)
  const [, title = '', text = ''] = /^## (.+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? []
  if (title.split(' ')[0] !== version)
    throw new Error(`The first section of CHANGELOG.md is "${title}", but package.json has the version ${version}.`)
  if (text.replace(/^#.*$/gm, '').trim() === '') throw new Error(`The section ${version} of CHANGELOG.md is empty.`)
  return text.trim()
}
