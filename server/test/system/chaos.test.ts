import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../chaos/cluster.ts'
import { type Chaos, createChaos, roundKinds } from '../chaos/rounds.ts'
import { hasRedis } from '../redis-server.ts'

const seed = 20_261_122
const why = hasRedis ? '' : ' (skipped: redis-server is not installed)'

describe.skipIf(!hasRedis)(`a service of two nodes under load${why}`, { timeout: 240_000 }, () => {
  let cluster: Cluster
  let chaos: Chaos

  beforeAll(async () => {
    cluster = await startCluster()
    chaos = await createChaos(cluster, seed)
  }, 240_000)

  afterAll(() => cluster.close())

  for (const [index, kind] of roundKinds.entries())
    for (const round of [2 * index, 2 * index + 1])
      it(`loses nothing in ${kind}, round ${round} of seed ${seed}, and every listener converges to the HTTP state`, async () => {
        const report = await chaos.runRound(kind, round)
        expect(report.faults, `npm run chaos -- --seed ${seed}`).toEqual([])
        expect(report.acknowledged).toBeGreaterThan(0)
      })
})
