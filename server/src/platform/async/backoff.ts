export interface Backoff {
  /** The delay after the first failure in milliseconds. */
  readonly firstMs: number
  /** The longest delay. */
  readonly maxMs: number
}

/** Exponential back-off: the delay in milliseconds after this many failures in a row, doubled after each one. */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs)
}
