import type { TestProject } from 'vitest/node'
import { openRedis } from './redis-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the run's Redis without a database number. Undefined in the project with one node. */
    redisUrl: string | undefined
  }
}

/** Starts one redis-server for the whole run. Every test server uses its own database number on it. */
export default async function setup(project: TestProject) {
  const redis = await openRedis()
  project.provide('redisUrl', redis.url)
  return redis.close
}
