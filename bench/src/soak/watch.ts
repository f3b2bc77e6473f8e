import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Measured } from '../process.ts'
import type { Target } from './target.ts'

const sampleMs = 10_000

export interface Sample {
  readonly atS: number
  readonly residentMB: number
  readonly heapMB: number
  readonly externalMB: number
  readonly handles: number
  readonly liveSockets: number
  readonly lagP99Ms: number
  readonly dataMB: number
}

/** Samples each node every ten seconds until it is stopped. */
export function watch(target: Target, onError: (error: unknown) => void) {
  const startedAt = performance.now()
  const samples: Sample[][] = target.nodes.map(() => [])
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    try {
      const dataMB = (await bytesBelow(target.dataDir)) / 1e6
      for (const [index, node] of target.nodes.entries()) {
        const atS = (performance.now() - startedAt) / 1000
        samples[index]?.push({ atS, dataMB, ...(await look(node)) })
      }
    } catch (error) {
      onError(error)
    }
    isLooking = false
  }, sampleMs)
  return {
    samples,
    latest: () => samples.map((of) => of.at(-1)),
    stop: () => clearInterval(timer),
  }
}

export async function look(node: Measured): Promise<Omit<Sample, 'atS' | 'dataMB'>> {
  const text = await (await fetch(`${node.url}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    residentMB: (await node.residentBytes()) / 1e6,
    heapMB: value('nodejs_heap_size_used_bytes') / 1e6,
    externalMB: value('nodejs_external_memory_bytes') / 1e6,
    handles: await node.openHandles(),
    liveSockets: value('hither_realtime_connections'),
    lagP99Ms: value('nodejs_eventloop_lag_p99_seconds') * 1000,
  }
}

/** The total size of the files in a folder, in bytes. Files that disappear meanwhile are skipped. */
async function bytesBelow(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = files.map((file) =>
    file.isFile()
      ? stat(join(file.parentPath, file.name)).then(
          ({ size }) => size,
          () => 0,
        )
      : 0,
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/**
 * The growth per hour of the lowest or highest value, from the middle third to the last third of the run. A leak raises the
 * minimum of the heap after garbage collection and the maximum of the resident memory, which fluctuates because allocators
 * return memory with a delay. The first third is the warm-up.
 */
export function growthOf(
  samples: readonly Sample[],
  edge: 'lowest' | 'highest',
  read: (sample: Sample) => number,
): number {
  const third = (samples.at(-1)?.atS ?? 0) / 3
  const between = (from: number, to: number) => {
    const values = samples.filter(({ atS }) => atS > from && atS <= to).map(read)
    return edge === 'lowest' ? Math.min(...values) : Math.max(...values)
  }
  return ((between(2 * third, 3 * third) - between(third, 2 * third)) / third) * 3600
}
