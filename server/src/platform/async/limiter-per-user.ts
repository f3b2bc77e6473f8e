import { type ConcurrencyLimiter, createConcurrencyLimiter } from './concurrency-limiter.ts'

/** Limits the tasks of each user as `ConcurrencyLimiter` does. */
interface LimiterPerUser {
  run<T>(userId: string, work: () => Promise<T>): Promise<T>
}

export function createLimiterPerUser(limits: { atOnce: number; waiting: number }): LimiterPerUser {
  const limiters = new Map<string, { readonly limiter: ConcurrencyLimiter; tasks: number }>()
  return {
    async run(userId, work) {
      const own = limiters.get(userId) ?? { limiter: createConcurrencyLimiter(limits), tasks: 0 }
      limiters.set(userId, own)
      own.tasks++
      try {
        return await own.limiter.run(work)
      } finally {
        own.tasks--
        if (own.tasks === 0) limiters.delete(userId)
      }
    },
  }
}
