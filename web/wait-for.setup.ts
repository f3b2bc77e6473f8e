import { vi } from 'vitest'

const { waitFor } = vi

/** Waits as long as a busy machine may need, and not for a second only. */
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 60_000, ...options })
