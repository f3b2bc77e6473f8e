import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { median } from '../process.ts'
import { type Report, table } from './report.ts'
import type { Target } from './target.ts'
import { growthOf, look, type Sample } from './watch.ts'
import type { World } from './world.ts'

/**
 * The limits of growth. A leak of one small object (half a kilobyte) per call is 40 MB an hour at this rate of about 20 calls
 * a second. Resident memory also contains free memory that allocators retain.
 */
const limits = {
  /** A shorter run consists only of the warm-up. */
  growthMinutes: 15,
  heapMBAnHour: 40,
  residentMBAnHour: 120,
  handlesAnHour: 60,
  lagP99Ms: 200,
  dataMB: 2000,
} as const

interface Line {
  readonly what: string
  readonly value: string
  readonly limit: string
}

export async function judge(
  target: Target,
  report: Report,
  samples: readonly (readonly Sample[])[],
  { world, minutes }: { world: World; minutes: number },
): Promise<Line[]> {
  const lines: Line[] = []
  const check = (what: string, value: string, limit: string, isWithin: boolean) => {
    lines.push({ what, value, limit })
    if (!isWithin) report.violation('limit', `${what}: ${value}, limit ${limit}`)
  }
  for (const [index, of] of samples.entries()) {
    const node = samples.length > 1 ? ` of node ${index + 1}` : ''
    const flat = (what: string, limit: number, edge: 'lowest' | 'highest', read: (sample: Sample) => number) => {
      const growth = growthOf(of, edge, read)
      const isChecked = minutes >= limits.growthMinutes
      const shown = isChecked ? `≤ ${limit}` : `≤ ${limit} (not checked, too short)`
      check(`${what}${node}, ${edge}, growth an hour`, growth.toFixed(1), shown, !isChecked || growth <= limit)
    }
    flat('heap MB', limits.heapMBAnHour, 'lowest', ({ heapMB }) => heapMB)
    flat('resident MB', limits.residentMBAnHour, 'highest', ({ residentMB }) => residentMB)
    flat('open handles', limits.handlesAnHour, 'lowest', ({ handles }) => handles)
    const lag = median(of.map(({ lagP99Ms }) => lagP99Ms))
    check(
      `event-loop delay${node}, p99 of 10 s, median`,
      `${lag.toFixed(1)} ms`,
      `≤ ${limits.lagP99Ms} ms`,
      lag <= limits.lagP99Ms,
    )
  }
  const [first, last] = [samples[0]?.[0], samples[0]?.at(-1)]
  const grown = (last?.dataMB ?? 0) - (first?.dataMB ?? 0)
  check(
    'data folder, growth',
    `${grown.toFixed(0)} MB in ${minutes} min`,
    `≤ ${limits.dataMB} MB`,
    grown <= limits.dataMB,
  )
  const files = (await readdir(join(target.dataDir, 'files'), { recursive: true })).filter((name) =>
    name.endsWith('.webp'),
  )
  const pictures = world.model.pictured.size + [...world.model.pings.values()].filter(({ hasImage }) => hasImage).length
  // Each picture has two sizes. A periodic job erases replaced files.
  check('files of pictures', String(files.length), `= ${2 * pictures}`, files.length === 2 * pictures)
  const sockets = await Promise.all(target.nodes.map(async (node) => (await look(node)).liveSockets))
  check(
    'live sockets when all have gone',
    sockets.join(' '),
    '= 0',
    sockets.every((count) => count === 0),
  )
  return lines
}

export function show(report: Report, lines: readonly Line[], samples: readonly (readonly Sample[])[]): void {
  const write = (text: string) => process.stdout.write(`${text}\n`)
  for (const [index, of] of samples.entries()) {
    write(`\nNode ${index + 1}`)
    const every = Math.max(1, Math.floor(of.length / 15))
    const rows = of.filter((_, at) => at % every === 0 || at === of.length - 1)
    write(
      table([
        ['s', 'resident MB', 'heap MB', 'external MB', 'handles', 'sockets', 'lag p99 ms', 'data MB'],
        ...rows.map((one) =>
          [
            one.atS,
            one.residentMB,
            one.heapMB,
            one.externalMB,
            one.handles,
            one.liveSockets,
            one.lagP99Ms,
            one.dataMB,
          ].map((value) => value.toFixed(0)),
        ),
      ]),
    )
  }
  const counted = [
    'actions',
    'messages received',
    'changes received',
    'typing received',
    'connections lost',
    'sockets opened',
    'resyncs',
    'comparisons',
  ]
  write(table([['', 'value', 'limit'], ...lines.map(({ what, value, limit }) => [what, value, limit])]))
  write(
    table([
      ['calls', String(report.calls())],
      ['answers p50, p99', `${report.latency(0.5).toFixed(0)} ms, ${report.latency(0.99).toFixed(0)} ms`],
      ...counted.map((what) => [what, String(report.counted(what))]),
    ]),
  )
  const answers = [...report.answers()].sort(([a], [b]) => a.localeCompare(b))
  write(table(answers.map(([name, count]) => [String(count).padStart(7), name])))
  const violations = [...report.violations()]
  if (violations.length === 0) write('No violation.')
  for (const [kind, texts] of violations)
    write(`${texts.length} violations: ${kind}\n  ${texts.slice(0, 10).join('\n  ')}`)
}
