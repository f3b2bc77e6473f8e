import { v7 } from 'uuid'

/** Returns a new UUIDv7 as an id of the requested type. The ids of one process ascend. */
export function newId<Id extends string>(): Id {
  return v7() as Id
}
