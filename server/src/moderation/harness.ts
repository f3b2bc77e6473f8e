import type { ReportId } from '@hither/contract/ids.ts'
import { appointAdmin, claimAdmin } from '@hither/contract/moderation.ts'
import { createReport, listReports, type NewReport } from '@hither/contract/reports.ts'
import type { Person, TestServer } from '../../test/harness.ts'
import { taggedPicture } from '../../test/pictures.ts'

export const place = { name: 'Coffee', latitude: 45.5, longitude: -122.6, duration_minutes: 30 } as const

/** Deletes all users with their data, all codes and the log, and opens the registration. */
export async function clear({ db }: TestServer): Promise<void> {
  await db`truncate users, admin_codes, admin_actions, reports, invitations cascade`
  await db`update registration set mode = 'open'`
}

/** Makes a user admin: the first one with the code of the server's start, later ones through an admin. */
export async function makeAdmin(server: TestServer, person: Person, by?: Person): Promise<Person> {
  const { status } = by
    ? await server.call(appointAdmin, { params: { id: person.id } }, by)
    : await server.call(claimAdmin, { body: { code: (await server.app.makeAdminCode()) ?? '' } }, person)
  if (status !== 204) throw new Error(`${person.username} was not made an admin: ${status}`)
  return person
}

export function report(server: TestServer, who: Person, what: Partial<NewReport>) {
  const body = { subject: 'user', subject_id: '', reason: 'harassment', ...what } as NewReport
  return server.call(createReport, { body }, who)
}

/** Finds one report as an admin sees it. */
export async function findReport(server: TestServer, admin: Person, id: ReportId, state: 'open' | 'handled' = 'open') {
  const { body } = await server.call(listReports, { query: { state, limit: 100 } }, admin)
  return body.find((one) => one.id === id)
}

export async function upload(server: TestServer, who: Person, path: string): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await taggedPicture('png'))]), 'me.png')
  const headers = { authorization: `Bearer ${who.session.access_token}` }
  const { status } = await fetch(`${server.url}/api/files/${path}`, { method: 'POST', body: form, headers })
  if (status !== 200) throw new Error(`The upload answered ${status}`)
}
