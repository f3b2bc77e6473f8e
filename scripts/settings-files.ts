import { type Setting, settings } from '../server/src/config/settings.ts'

/** A file, or a part of one, that `npm run settings` writes from the list of settings. */
interface SettingsFile {
  /** Relative to the repository. */
  readonly path: string
  /** Returns the whole text of the file, given its present text. Throws if the file has no place for the settings. */
  write(present: string, list: readonly Setting[]): string
}

const start = '<!-- Written by `npm run settings` from server/src/config/settings.ts. -->'
const end = '<!-- End of the settings. -->'

export const settingsFiles: readonly SettingsFile[] = [
  {
    path: 'README.md',
    write(present, list) {
      const [before, rest] = present.split(start)
      const after = rest?.split(end)[1]
      if (before === undefined || after === undefined)
        throw new Error(`README.md must contain "${start}" and "${end}".`)
      return `${before}${start}\n${tableOf(list)}\n${end}${after}`
    },
  },
  {
    path: 'deploy/hither.env',
    write: (_, list) =>
      environmentFile(
        [
          'The settings of Hither. Each has a default: remove the # before a line to change it. Then: systemctl restart hither',
          'Written by `npm run settings` from server/src/config/settings.ts.',
        ],
        // The unit names the data folder.
        list.filter(({ name }) => name !== 'DATA_DIR'),
      ),
  },
]

/** The settings as a Markdown table with a line for each group. */
function tableOf(list: readonly Setting[]): string {
  const groups = [...new Set(list.map(({ group }) => group))]
  const rows = groups.flatMap((group) => [
    `| **${group}** | | |`,
    ...list.filter((entry) => entry.group === group).map(rowOf),
  ])
  return ['| Variable | Default | Description |', '| --- | --- | --- |', ...rows].join('\n')
}

function rowOf({ name, default: defaultText, description }: Setting): string {
  return `| \`${name}\` | ${defaultText === null ? '–' : `\`${defaultText}\``} | ${description} |`
}

/** A file of `NAME=value` lines, as systemd and Compose read it, in which no setting is set. */
function environmentFile(head: readonly string[], list: readonly Setting[]): string {
  const entries = list.map(
    ({ name, default: defaultText, description }) => `# ${sentence(description)}\n#${name}=${defaultText ?? ''}\n`,
  )
  return `${head.map((line) => `# ${line}\n`).join('')}\n${entries.join('\n')}`
}

/** Markdown as the plain text of a sentence. */
export function sentence(markdown: string): string {
  const plain = markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')
  const first = /^[a-z]/.test(markdown) ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain
  return `${first}.`
}

interface Differences {
  /** Settings that the server reads and the list does not have. */
  readonly unlisted: string[]
  /** Settings of the list that the server never reads. */
  readonly unread: string[]
}

/** Compares the list with what a reader of the environment asks for. */
export function compareWithReader(
  read: (environment: Record<string, string | undefined>) => unknown,
  list: readonly Pick<Setting, 'name'>[] = settings,
  ignored: readonly string[] = [],
): Differences {
  const asked = new Set<string>()
  read(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }))
  const listed = list.map(({ name }) => name)
  return {
    unlisted: [...asked].filter((name) => !listed.includes(name) && !ignored.includes(name)),
    unread: listed.filter((name) => !asked.has(name)),
  }
}
