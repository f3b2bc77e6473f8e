/** Rejects with `TimeoutExceeded` after `withinMs` milliseconds. The work itself continues and its result is ignored. */
export async function withTimeout<T>(work: PromiseLike<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutExceeded('No answer')), withinMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

export class TimeoutExceeded extends Error {
  override name = 'TimeoutExceeded'
}
