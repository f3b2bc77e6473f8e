import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type KillReport, killKinds, startKillRounds } from '../server/test/chaos/built-in.ts'

/**
 * `npm run chaos:built-in -- --rounds 50 [--seed N]`: kills the server, its built-in database or both with SIGKILL while messages
 * are sent, and checks after each round that no acknowledged message is lost. Exits with 1 if anything is wrong. Linux only.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' }, seed: { type: 'string' } } })
const rounds = Number(values.rounds)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(seed) || seed < 0)
  throw new Error('--rounds takes a whole number from 1, --seed one from 0.')

const folder = await mkdtemp(join(tmpdir(), 'hither-chaos-'))
// The database user of root passes through.
await chmod(folder, 0o711)
const reports: KillReport[] = []
let faults: string[] = []
say(`${rounds} rounds of ${killKinds.join(', ')}; seed ${seed}`)
try {
  const chaos = await startKillRounds(join(folder, 'data'), seed)
  try {
    for (let round = 0; round < rounds; round++) {
      const report = await chaos.runRound(killKinds[round % killKinds.length] ?? 'both', round)
      reports.push(report)
      const outcome = report.faults.length === 0 ? 'nothing lost' : `${report.faults.length} FAULTS`
      const writes = `${report.acknowledged} writes acknowledged, ${report.failed} failed`
      say(
        `${String(round + 1).padStart(3)} ${report.kind.padEnd(9)} ${writes}, ready after ${report.recoverySeconds.toFixed(1)} s: ${outcome}`,
      )
      for (const fault of report.faults) say(`    ${fault}`)
    }
    faults = await chaos.checkAll()
  } finally {
    faults = [...faults, ...(await chaos.close())]
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
for (const fault of faults) say(fault)
say('')
say(['killed', 'rounds', 'with faults', 'acknowledged', 'failed', 'ready after s (median, most)'].join('  '))
for (const kind of killKinds) {
  const of = reports.filter((report) => report.kind === kind)
  const sum = (field: 'acknowledged' | 'failed') => of.reduce((total, report) => total + report[field], 0)
  const seconds = of.map(({ recoverySeconds }) => recoverySeconds).sort((a, b) => a - b)
  const [middle = 0, most = 0] = [seconds[seconds.length >> 1], seconds.at(-1)]
  const withFaults = of.filter((report) => report.faults.length > 0).length
  say([kind, of.length, withFaults, sum('acknowledged'), sum('failed'), middle.toFixed(1), most.toFixed(1)].join('  '))
}
process.exit(faults.length === 0 && reports.every((report) => report.faults.length === 0) ? 0 : 1)

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
