import * as contract from '@hither/contract/circles.ts'
import type { Routes } from '../platform/http/routes.ts'
import { readFields } from './circles.rules.ts'
import { type CirclesDeps, changeCircle, createCircle, deleteCircle, listCircles } from './circles.service.ts'

export function addCircleRoutes(routes: Routes, deps: CirclesDeps): void {
  routes.add(contract.listCircles, ({ caller, query }) => listCircles(deps, caller.userId, query))
  routes.add(contract.createCircle, ({ caller, body }) => createCircle(deps, caller.userId, body), {
    validate: ({ body }) => void readFields(body),
  })
  routes.add(contract.changeCircle, ({ caller, params, body }) => changeCircle(deps, caller.userId, params.id, body), {
    validate: ({ body }) => void readFields(body),
  })
  routes.add(contract.deleteCircle, async ({ caller, params }) => {
    await deleteCircle(deps, caller.userId, params.id)
    return null
  })
}
