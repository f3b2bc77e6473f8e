import { v7 } from 'uuid'

/** A fresh UUIDv7 of the kind that is asked for; ids of one process ascend. */
export function newId<Id extends string>(): Id {
  return v7() as Id
}
