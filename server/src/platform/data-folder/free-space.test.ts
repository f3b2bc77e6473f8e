import { expect, it } from 'vitest'
import { hasRoom } from './free-space.ts'

it('the free space must be 1 GB, on a small disk 5 %, or what the operator sets', () => {
  const gigabytes = (free: number, total: number, min: number | null = null) =>
    hasRoom({ free: free * 1e9, total: total * 1e9 }, min)
  expect([gigabytes(1, 100), gigabytes(0.99, 100), gigabytes(0.5, 10), gigabytes(0.49, 10)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  expect([gigabytes(0, 100, 0), gigabytes(2, 100, 3e9)]).toEqual([true, false])
})
