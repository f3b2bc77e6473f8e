import { login } from '@hither/contract/auth/auth.ts'
import { hashPassword, isPassword } from '../../../server/src/auth/password-hashing/passwords.ts'
import { password } from '../data-set.ts'
import { type Measured, median } from '../process.ts'
import { printTable } from '../table.ts'
import { ratio } from './costs.ts'
import { closedLoop, openLoop, percentile, productAt } from './load.ts'
import type { Plan } from './plan.ts'
import type { SignedIn } from './visitors.ts'
import { type Call, mix } from './workloads.ts'

/** The number of concurrent sign-ins in workload R0, as many as the machine has cores, and a number that keeps all cores busy. */
const atOnce = 2
const manyAtOnce = 8
const storm = 16
const mixPerSecond = 50

interface Rate {
  readonly perSecond: number
  readonly cpuMs: number
}

/** Compares the cost of a sign-in with that of its password hash alone, and measures how concurrent sign-ins affect other calls. */
export async function measureSignIn(server: Measured, people: readonly SignedIn[], plan: Plan): Promise<void> {
  const target = productAt(server.url)
  const nextSignIn = (): Call => {
    const { email } = people[Math.floor(Math.random() * people.length)] as SignedIn
    return { workload: 'R0', operation: login, token: '', params: {}, body: { email, password }, inputs: {} }
  }
  const forMs = plan.openMs
  const hash = await hashPassword(password)
  const alone = { call: async () => void (await isPassword(password, hash)), close: () => undefined }
  const signIns: Rate[] = []
  const many: Rate[] = []
  const hashes: Rate[] = []
  for (let run = 0; run < plan.runs; run++) {
    signIns.push(await rateOf(server.cpuMicroseconds, forMs, () => closedLoop(target, nextSignIn, atOnce, forMs)))
    many.push(await rateOf(server.cpuMicroseconds, forMs, () => closedLoop(target, nextSignIn, manyAtOnce, forMs)))
    hashes.push(await rateOf(ownCpu, forMs, () => closedLoop(alone, nextSignIn, atOnce, forMs)))
  }
  const theirs = medianRate(hashes)
  const rowsOf = ({ perSecond, cpuMs }: Rate, count: number, goal: string) => [
    [
      `a second, ${count} at a time`,
      perSecond.toFixed(1),
      theirs.perSecond.toFixed(1),
      ratio(perSecond, theirs.perSecond),
      goal,
    ],
    ['CPU ms each', cpuMs.toFixed(1), theirs.cpuMs.toFixed(1), ratio(cpuMs, theirs.cpuMs), ''],
  ]
  printTable(`R0 signing in, compared with ${atOnce} hashes at a time, median of ${plan.runs} runs`, [
    ['', 'product', 'argon2 alone', 'ratio', 'goal'],
    ...rowsOf(medianRate(signIns), atOnce, '≥ 0.85'),
    ...rowsOf(medianRate(many), manyAtOnce, ''),
  ])

  const p99 = async () => percentile(await openLoop(target, () => mix.next(people), mixPerSecond, plan.stormMs), 99)
  const calm: number[] = []
  const stormy: number[] = []
  for (let run = 0; run < plan.runs; run++) {
    calm.push(await p99())
    const [, latency] = await Promise.all([closedLoop(target, nextSignIn, storm, plan.stormMs), p99()])
    stormy.push(latency)
  }
  target.close()
  printTable(`The mix at ${mixPerSecond}/s while ${storm} at a time sign in: p99 in ms, median of ${plan.runs} runs`, [
    ['', 'storm', 'calm', 'ratio', 'goal'],
    ['p99', median(stormy).toFixed(1), median(calm).toFixed(1), ratio(median(stormy), median(calm)), '≤ 2'],
  ])
}

async function rateOf(cpu: () => Promise<number>, forMs: number, work: () => Promise<number>): Promise<Rate> {
  const before = await cpu()
  const done = await work()
  return { perSecond: (done * 1000) / forMs, cpuMs: ((await cpu()) - before) / 1000 / done }
}

async function ownCpu(): Promise<number> {
  const { user, system } = process.cpuUsage()
  return user + system
}

function medianRate(rates: readonly Rate[]): Rate {
  return { perSecond: median(rates.map((one) => one.perSecond)), cpuMs: median(rates.map((one) => one.cpuMs)) }
}
