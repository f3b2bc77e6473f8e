/**
 * Returns a time in ISO 8601 and UTC at or shortly after the given one, different on each call: with microseconds, or
 * with nanoseconds whose last three digits are the number of the node, so that no two nodes return the same.
 */
export type TimestampSource = (time: Date) => string

/** `node` is 0 to 999 in a cluster, `null` for a single node. The result increases even if the clock is set back. */
export function createTimestampSource(node: number | null): TimestampSource {
  const suffix = node === null ? 'Z' : `${String(node).padStart(3, '0')}Z`
  let latest = 0
  let count = 0
  return (time) => {
    if (time.getTime() > latest) {
      latest = time.getTime()
      count = 0
    } else if (++count === 1000) {
      latest++
      count = 0
    }
    return `${new Date(latest).toISOString().slice(0, -1)}${String(count).padStart(3, '0')}${suffix}`
  }
}
