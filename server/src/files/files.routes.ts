import * as contract from '@hither/contract/files.ts'
import type { Routes } from '../platform/http/routes.ts'
import type { FilesDeps } from './files.service.ts'
import { deletePingImage, getPingImage, uploadPingImage } from './ping-images.service.ts'
import { deleteProfileImage, getProfileImage, uploadProfileImage } from './profile-images.service.ts'

export function addFileRoutes(routes: Routes, deps: FilesDeps): void {
  routes.add(contract.uploadProfileImage, ({ caller, upload }) => uploadProfileImage(deps, caller.userId, upload))
  routes.add(contract.deleteProfileImage, async ({ caller }) => {
    await deleteProfileImage(deps, caller.userId)
    return null
  })
  routes.add(contract.getOwnProfileImage, ({ caller, query }) =>
    getProfileImage(deps, caller.userId, caller.userId, query.size),
  )
  routes.add(contract.getProfileImage, ({ caller, params, query }) =>
    getProfileImage(deps, caller.userId, params.userId, query.size),
  )
  routes.add(contract.uploadPingImage, ({ caller, params, upload }) =>
    uploadPingImage(deps, caller.userId, params.pingId, upload),
  )
  routes.add(contract.deletePingImage, async ({ caller, params }) => {
    await deletePingImage(deps, caller.userId, params.pingId)
    return null
  })
  routes.add(contract.getPingImage, ({ caller, params, query }) =>
    getPingImage(deps, caller.userId, [params.a, params.b], query.size),
  )
}
