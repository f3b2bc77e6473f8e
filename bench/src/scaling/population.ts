import { assumed } from './assumptions.ts'

/** The friendships of all users, in both directions, as consecutive rows of one array. */
export interface Population {
  readonly people: number
  readonly start: Int32Array
  readonly friends: Int32Array
  /** The nodes of the first and the second device; -1 if there is none. */
  readonly first: Int16Array
  readonly second: Int16Array
  readonly online: Int32Array
}

/** Creates a seeded xorshift random number generator. */
export function createRandom(seed: number): () => number {
  let state = seed | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

/** Generates random friendships with the assumed distribution. Users with more friends are connected more often. */
export function createPopulation(people: number, nodes: number, random: () => number): Population {
  const { friendsMean, friendsSpread } = assumed
  const degrees = new Int32Array(people)
  let total = 0
  for (let index = 0; index < people; index++) {
    const wanted = friendsMean * Math.exp(friendsSpread * normal(random) - friendsSpread ** 2 / 2)
    const degree = Math.min(people >> 4, Math.max(1, Math.round(wanted)))
    degrees[index] = degree
    total += degree
  }
  total -= total % 2
  const { start, friends } = pairUp(degrees, total, random)
  const [first, second] = [new Int16Array(people).fill(-1), new Int16Array(people).fill(-1)]
  const online: number[] = []
  let weights = 0
  for (const degree of degrees) weights += degree ** assumed.onlineBias
  const scale = (assumed.onlineShare * people) / weights
  for (let index = 0; index < people; index++) {
    if (random() >= scale * (degrees[index] ?? 0) ** assumed.onlineBias) continue
    first[index] = Math.floor(random() * nodes)
    if (random() < assumed.devices - 1) second[index] = Math.floor(random() * nodes)
    online.push(index)
  }
  return { people, start, friends, first, second, online: Int32Array.from(online) }
}

/** Lists each user once per friend in random order. Adjacent entries are friends. */
function pairUp(degrees: Int32Array, total: number, random: () => number) {
  const row = new Int32Array(total)
  let at = 0
  for (const [index, degree] of degrees.entries())
    for (let left = degree; left > 0 && at < total; left--) row[at++] = index
  for (let last = total - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const swapped = row[last] as number
    row[last] = row[other] as number
    row[other] = swapped
  }
  const start = new Int32Array(degrees.length + 1)
  for (const person of row) start[person + 1] = (start[person + 1] as number) + 1
  for (let index = 0; index < degrees.length; index++)
    start[index + 1] = (start[index + 1] as number) + (start[index] as number)
  const friends = new Int32Array(total)
  const next = start.slice()
  for (let edge = 0; edge < total; edge += 2) {
    const [a, b] = [row[edge] as number, row[edge + 1] as number]
    friends[next[a] as number] = b
    next[a] = (next[a] as number) + 1
    friends[next[b] as number] = a
    next[b] = (next[b] as number) + 1
  }
  return { start, friends }
}

export function friendsOf({ start, friends }: Population, person: number): Int32Array {
  return friends.subarray(start[person], start[person + 1])
}

/** A normally distributed random number, by the Box-Muller method. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
