import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KillKind, type KillRounds, killKinds, startKillRounds } from '../../../../test/chaos/built-in.ts'

const seed = 20_261_122
const recoverySecondsMax = 5

describe.runIf(process.platform === 'linux')('the built-in database under writes', { timeout: 240_000 }, () => {
  let folder: string
  let rounds: KillRounds
  const recoveries: { kind: KillKind; seconds: number }[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hither-kills-'))
    await chmod(folder, 0o711)
    rounds = await startKillRounds(join(folder, 'data'), seed)
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  for (let round = 0; round < 9; round++) {
    const kind = killKinds[round % killKinds.length] ?? 'both'
    const killed = kind === 'both' ? 'server and database are' : `the ${kind} is`
    it(`loses no acknowledged message when ${killed} killed with SIGKILL, round ${round} of seed ${seed}`, async () => {
      const report = await rounds.runRound(kind, round)
      expect(report.faults).toEqual([])
      expect(report.acknowledged).toBeGreaterThan(0)
      recoveries.push({ kind, seconds: report.recoverySeconds })
    })
  }

  it.each(killKinds)(`answers within ${recoverySecondsMax} s of the kill of: %s`, (killed) => {
    const seconds = recoveries.filter(({ kind }) => kind === killed).map((recovery) => recovery.seconds)
    // The processor may be busy with other tests: a first start takes at most 3 s on an idle one.
    const slowness = Math.max(1, rounds.firstStartSeconds / 3)
    expect(Math.min(...seconds)).toBeLessThanOrEqual(recoverySecondsMax * slowness)
  })

  it('has every message of all rounds', async () => {
    expect(await rounds.checkAll()).toEqual([])
  })

  it('stops with exit code 0 and leaves no database process', async () => {
    expect(await rounds.close()).toEqual([])
  })
})
