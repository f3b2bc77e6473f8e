/** Rejects where it takes longer; the work itself goes on, and what becomes of it then is nobody's concern. */
export async function inTime<T>(work: PromiseLike<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotInTime('No answer')), withinMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

export class NotInTime extends Error {
  override name = 'NotInTime'
}
