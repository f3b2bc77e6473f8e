import * as recoveryContract from '@hither/contract/auth/recovery.ts'
import * as bannerContract from '@hither/contract/banner.ts'
import * as invitationContract from '@hither/contract/invitations.ts'
import * as contract from '@hither/contract/moderation.ts'
import * as reportContract from '@hither/contract/reports.ts'
import type { FilesDeps } from '../files/files.service.ts'
import { Answer, type Routes } from '../platform/http/routes.ts'
import { appointAdmin, claimAdmin, dismissAdmin, getAdminRole, listAdminActions } from './admins.service.ts'
import { getBanner, removeBanner, setBanner } from './banner.service.ts'
import { createInvitation, listInvitations, revokeInvitation, setRegistration } from './invitations.service.ts'
import { listUsers } from './people.service.ts'
import { deleteReported, dismissReport, getReportPicture, listReports } from './reports/report-actions.service.ts'
import { createReport } from './reports/reports.service.ts'
import { createResetLink } from './reset-links.service.ts'
import { getServiceStatus, type StatusDeps } from './status.service.ts'
import { liftSuspension, suspendUser } from './suspensions.service.ts'

type ModerationDeps = FilesDeps & StatusDeps & { publicUrl: string; canSendMail: boolean }

export function addModerationRoutes(routes: Routes, deps: ModerationDeps): void {
  routes.add(reportContract.createReport, async ({ caller, body }) => {
    const { receipt, isNew } = await createReport(deps, caller.userId, body)
    return new Answer(isNew ? 201 : 200, receipt)
  })
  routes.add(contract.getAdminRole, ({ caller }) => getAdminRole(deps, caller.userId))
  routes.add(contract.claimAdmin, async ({ caller, body }) => {
    await claimAdmin(deps, caller.userId, body.code)
    return null
  })
  routes.add(contract.getServiceStatus, ({ caller }) => getServiceStatus(deps, caller.userId))
  addReportHandling(routes, deps)
  addPeople(routes, deps)
  addEntrance(routes, deps)
  addBanner(routes, deps)
  routes.add(contract.listAdminActions, ({ caller, query }) => listAdminActions(deps, caller.userId, query))
}

function addReportHandling(routes: Routes, deps: ModerationDeps): void {
  routes.add(reportContract.listReports, ({ caller, query }) => listReports(deps, caller.userId, query))
  routes.add(reportContract.getReportPicture, ({ caller, params }) => getReportPicture(deps, caller.userId, params.id))
  routes.add(reportContract.dismissReport, async ({ caller, params }) => {
    await dismissReport(deps, caller.userId, params.id)
    return null
  })
  routes.add(reportContract.deleteReported, async ({ caller, params }) => {
    await deleteReported(deps, caller.userId, params.id)
    return null
  })
}

function addPeople(routes: Routes, deps: ModerationDeps): void {
  routes.add(contract.listUsers, ({ caller, body }) => listUsers(deps, caller.userId, body))
  routes.add(contract.listUsersInAddress, ({ caller, query }) => listUsers(deps, caller.userId, query))
  routes.add(contract.suspendUser, async ({ caller, params, body }) => {
    await suspendUser(deps, caller.userId, params.id, body)
    return null
  })
  routes.add(contract.liftSuspension, async ({ caller, params }) => {
    await liftSuspension(deps, caller.userId, params.id)
    return null
  })
  routes.add(recoveryContract.createResetLink, ({ caller, params }) => createResetLink(deps, caller.userId, params.id))
  routes.add(contract.appointAdmin, async ({ caller, params }) => {
    await appointAdmin(deps, caller.userId, params.id)
    return null
  })
  routes.add(contract.dismissAdmin, async ({ caller, params }) => {
    await dismissAdmin(deps, caller.userId, params.id)
    return null
  })
}

function addEntrance(routes: Routes, deps: ModerationDeps): void {
  routes.add(invitationContract.setRegistration, async ({ caller, body }) => {
    await setRegistration(deps, caller.userId, body)
    return null
  })
  routes.add(invitationContract.listInvitations, ({ caller }) => listInvitations(deps, caller.userId))
  routes.add(invitationContract.createInvitation, ({ caller, body }) => createInvitation(deps, caller.userId, body))
  routes.add(invitationContract.revokeInvitation, async ({ caller, params }) => {
    await revokeInvitation(deps, caller.userId, params.id)
    return null
  })
}

function addBanner(routes: Routes, deps: ModerationDeps): void {
  routes.add(bannerContract.getBanner, async () => ({ banner: await getBanner(deps) }))
  routes.add(bannerContract.setBanner, ({ caller, body }) => setBanner(deps, caller.userId, body))
  routes.add(bannerContract.removeBanner, async ({ caller }) => {
    await removeBanner(deps, caller.userId)
    return null
  })
}
