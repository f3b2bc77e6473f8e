import sharp from 'sharp'
import { doSomething, signIn } from './soak/actions.ts'
import { checkAll } from './soak/checks.ts'
import { openDevice } from './soak/device.ts'
import { befriend } from './soak/friend-actions.ts'
import { createLocks } from './soak/locks.ts'
import { newModel } from './soak/model.ts'
import { signUp } from './soak/person.ts'
import { createReport } from './soak/report.ts'
import { startTarget, type TargetName, targetNames } from './soak/target.ts'
import { judge, show } from './soak/verdict.ts'
import { watch } from './soak/watch.ts'
import { heraldOf, type World } from './soak/world.ts'

/**
 * `npm run soak -- [MINUTES] [--target embedded|postgres|cluster]`: simulated users use all features of a real server
 * concurrently, at a rate at which this program is not the bottleneck. The acknowledged writes are compared with the API and
 * with the live changes, and the memory of the server is checked for growth. Exits with 1 if any check fails.
 */
const people = 40
/** The mean number of actions of one user per minute. */
const actionsPerMinute = 24
const checkEveryMinutes = 5
const { minutes, targetName } = readArguments(process.argv.slice(2))

const report = createReport()
const target = await startTarget(targetName, (line) => {
  const { level, msg, err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } }
  if (level >= 50) report.violation('log', `${msg}: ${err?.message}`)
  else report.count(`warned: ${msg}`)
})
let isStopped = false
const stopEarly = () => {
  isStopped = true
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopEarly)
try {
  const world = await populate()
  const watcher = watch(target, (error) => report.violation('metrics', String(error)))
  process.stdout.write(`${people} people on ${targetName}, for ${minutes} min\n`)
  const endsAt = Date.now() + minutes * 60_000
  let round = 0
  while (!isStopped && Date.now() < endsAt) {
    await workUntil(world, Math.min(endsAt, Date.now() + checkEveryMinutes * 60_000))
    if (!isStopped && Date.now() < endsAt) await checkpoint(world, ++round)
  }
  watcher.stop()
  for (let who = 0; who < people; who++) if (!world.devices.has(who)) await signIn(world, who)
  await checkpoint(world, ++round)
  await Promise.all([...world.devices.values()].map((device) => device.close()))
  const verdict = await judge(target, report, watcher.samples, { world, minutes })
  show(report, verdict, watcher.samples)
  process.exitCode = report.violations().size > 0 ? 1 : 0
} finally {
  await target.stop()
}
process.exit()

async function workUntil(world: World, time: number): Promise<void> {
  const meanPauseMs = 60_000 / actionsPerMinute
  await Promise.all(
    Array.from({ length: people }, async (_, who) => {
      while (!isStopped && Date.now() < time) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * meanPauseMs))
        await doSomething(world, who).catch((error: unknown) =>
          report.violation('failure', `${(error as Error).stack}`),
        )
      }
    }),
  )
}

async function checkpoint(world: World, round: number): Promise<void> {
  await checkAll(world, round)
  const now = new Date().toISOString().slice(11, 19)
  process.stdout.write(
    `${now}  check ${round}: ${report.calls()} calls, ${report.counted('messages received')} messages received, ${report.counted('comparisons')} comparisons, ${[...report.violations().values()].flat().length} violations\n`,
  )
}

/** Signs up the users. Each is a friend of the four before and the four after them, and of the herald. */
async function populate(): Promise<World> {
  const model = newModel()
  const cast = []
  for (let index = 0; index <= people; index++) cast.push(await signUp(target, report, index))
  const world: World = {
    model,
    report,
    locks: createLocks(),
    cast,
    devices: new Map(),
    pictures: await makePictures(),
    openDevice: (person) => openDevice(target, report, person),
  }
  for (let who = 0; who < people; who++) {
    for (let step = 1; step <= 4; step++) await befriend(world, who, (who + step) % people)
    await befriend(world, who, heraldOf(world))
  }
  for (const person of cast.slice(0, people)) world.devices.set(person.index, await openDevice(target, report, person))
  return world
}

/** Creates pictures like those of a phone, but smaller. */
function makePictures(): Promise<Uint8Array<ArrayBuffer>[]> {
  return Promise.all(
    [640, 960, 1280].map(async (width) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
      const image = sharp({ create: { width, height: (width * 3) / 4, channels: 3, background: '#468', noise } })
      return new Uint8Array(await image.jpeg({ quality: 60 }).toBuffer())
    }),
  )
}

function readArguments(words: readonly string[]): { minutes: number; targetName: TargetName } {
  const at = words.indexOf('--target')
  const name = at < 0 ? 'embedded' : words[at + 1]
  const rest = at < 0 ? words : words.toSpliced(at, 2)
  const minutes = Number(rest[0] ?? 30)
  const targetName = targetNames.find((one) => one === name)
  if (targetName && minutes >= 1 && minutes <= 240 && rest.length <= 1) return { minutes, targetName }
  process.stderr.write('Usage: npm run soak -- [MINUTES, 1 to 240] [--target embedded|postgres|cluster]\n')
  process.exit(2)
}
