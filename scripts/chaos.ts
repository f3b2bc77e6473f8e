import { parseArgs } from 'node:util'
import { startCluster } from '../server/test/chaos/cluster.ts'
import { createChaos, type RoundKind, type RoundReport, roundKinds } from '../server/test/chaos/rounds.ts'
import { hasRedis } from '../server/test/redis-server.ts'

/**
 * `npm run chaos -- --rounds 50 [--seed N] [--kinds node-kill,database-kill]`: runs a service of two nodes under load and
 * makes one part fail in each round. After each round it checks that nothing was lost and that every listener has the same
 * state as the HTTP API. Exits with 1 if there was a fault. The same seed repeats the same schedule.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '8' }, seed: { type: 'string' }, kinds: { type: 'string' } },
})
const rounds = readNumber('rounds', values.rounds, 1)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : readNumber('seed', values.seed, 0)
const kinds = readKinds(values.kinds)
if (!hasRedis) fail('redis-server is not installed (on Debian: apt-get install redis-server).')

print(`${rounds} rounds of ${kinds.join(', ')}; seed ${seed}`)
const cluster = await startCluster()
const reports: RoundReport[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.close().finally(() => process.exit(1)))
try {
  const chaos = await createChaos(cluster, seed)
  for (let round = 0; round < rounds; round++) {
    const report = await chaos.runRound(kinds[round % kinds.length] as RoundKind, round)
    reports.push(report)
    print(lineOf(report, round))
    for (const fault of report.faults) print(`    ${fault}`)
    if (report.faults.length > 0)
      print(`    repeat with --rounds ${round + 1} --seed ${seed} --kinds ${kinds.join(',')}`)
  }
} finally {
  await cluster.close()
}
print('')
printTable()
process.exit(reports.every(({ faults }) => faults.length === 0) ? 0 : 1)

function lineOf(
  { kind, seconds, acknowledged, refused, repeated, resyncs, faults }: RoundReport,
  round: number,
): string {
  const writes = `${acknowledged} writes acknowledged, ${refused} refused, ${repeated} attempts repeated`
  const outcome = faults.length === 0 ? 'no difference' : `${faults.length} FAULTS`
  return `${String(round + 1).padStart(3)} ${kind.padEnd(14)} ${seconds.toFixed(0).padStart(3)} s  ${writes}, ${resyncs} resyncs: ${outcome}`
}

function printTable() {
  const columns = ['kind', 'rounds', 'failed', 'acknowledged', 'refused', 'repeated', 'resyncs']
  const rows = kinds.map((kind) => {
    const of = reports.filter((report) => report.kind === kind)
    const sum = (field: 'acknowledged' | 'refused' | 'repeated' | 'resyncs') =>
      of.reduce((total, report) => total + report[field], 0)
    const failed = of.filter(({ faults }) => faults.length > 0).length
    return [kind, of.length, failed, sum('acknowledged'), sum('refused'), sum('repeated'), sum('resyncs')]
  })
  for (const row of [columns, ...rows])
    print(row.map((cell, index) => (index === 0 ? String(cell).padEnd(14) : String(cell).padStart(13))).join(''))
}

function readNumber(name: string, text: string, least: number): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < least) fail(`--${name} must be a whole number from ${least}.`)
  return number
}

function readKinds(text: string | undefined): readonly RoundKind[] {
  if (text === undefined) return roundKinds
  const names = text.split(',')
  const isKind = (name: string): name is RoundKind => (roundKinds as readonly string[]).includes(name)
  if (!names.every(isKind)) fail(`--kinds takes ${roundKinds.join(', ')}, separated by commas.`)
  return names as RoundKind[]
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
