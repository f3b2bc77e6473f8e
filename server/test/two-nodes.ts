import { type TestProject } from 'vitest/node'
import { openRedis } from './redis-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set for the project in which a server is two nodes: their Redis, without a database's number. */
    redisUrl: string | undefined
  }
}

/** One redis-server for the whole run; every server takes a database of its own on it. */
export default async function setup(project: TestProject) {
  const redis = await openRedis()
  project.provide('redisUrl', redis.url)
  return redis.close
}
