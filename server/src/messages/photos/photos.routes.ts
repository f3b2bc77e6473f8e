import * as contract from '@hither/contract/files.ts'
import type { FilesDeps } from '../../files/files.service.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { openPhoto, uploadPhoto } from './photos.service.ts'

export function addPhotoRoutes(routes: Routes, deps: FilesDeps): void {
  routes.add(contract.uploadMessagePhoto, ({ caller, params, upload }) =>
    uploadPhoto(deps, caller.userId, params.id, upload),
  )
  routes.add(contract.getMessagePhoto, ({ caller, params, query }) =>
    openPhoto(deps, caller.userId, params.messageId, query.size),
  )
}
