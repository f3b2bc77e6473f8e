/** A random number generator whose seed reproduces the sequence. */
export interface Random {
  /** A number from `least` (inclusive) to `most` (exclusive). */
  between(least: number, most: number): number
  integer(least: number, most: number): number
  isLikely(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Creates an independent generator. Its use does not change the sequences of the others. */
  fork(label: number): Random
}

/** Creates a Mulberry32 generator. `seed` is an integer, of which only the lowest 32 bits are used. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + next() * (most - least)
  const integer = (least: number, most: number) => Math.floor(between(least, most))
  return {
    between,
    integer,
    isLikely: (probability) => next() < probability,
    pick(list) {
      const found = list[integer(0, list.length)]
      if (found === undefined) throw new Error('Nothing to pick from')
      return found
    },
    fork: (label) => createRandom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(label + 1, 0xc2b2ae35)),
  }
}
