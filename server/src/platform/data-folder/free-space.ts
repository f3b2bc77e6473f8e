import { statfs } from 'node:fs/promises'
import { Refusal } from '../errors/refusal.ts'

interface DiskSpace {
  readonly free: number
  readonly total: number
}

/** Returns the bytes of the disk of a folder; `null` if it does not exist or the system does not report them. */
export async function diskSpaceOf(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return null
  }
}

/** On a small disk a share of it, so that a server with ten gigabytes does not lose a tenth of them. */
const reserve = { bytes: 1_000_000_000, share: 0.05 } as const

/** Whether the disk may take what a user sends, or what is written for a user. Below this the database would fail next. */
export function hasRoom({ free, total }: DiskSpace, freeMin: number | null): boolean {
  return free >= (freeMin ?? Math.min(reserve.bytes, total * reserve.share))
}

/** Throws `disk_low`. */
export type AssertRoom = () => Promise<void>

export function createAssertRoom(folder: string, freeMin: number | null): AssertRoom {
  return async () => {
    const space = await diskSpaceOf(folder)
    if (space !== null && !hasRoom(space, freeMin)) throw new Refusal('disk_low')
  }
}
