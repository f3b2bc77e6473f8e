import {
  type ChangeCircle,
  changeCircle,
  createCircle,
  deleteCircle,
  listCircles,
  type NewCircle,
} from '@hither/contract/circles.ts'
import type { CircleId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import type { Person } from '../../test/harness.ts'
import { startCast as startPingCast } from '../pings/harness.ts'

export const unknownCircleId = '01900000-0000-7000-8000-000000000001' as CircleId

/** ann, who has circles; bob, cat and dan, her friends; eve, a stranger to all of them. */
export type Cast = Awaited<ReturnType<typeof startCast>>

export async function startCast() {
  const cast = await startPingCast()
  const { server } = cast
  const dan = await cast.signUp('dan')
  await server.befriend(cast.ann, dan)
  const circleBody = (name: string, members: readonly Person[]) => ({ name, member_ids: members.map(({ id }) => id) })
  return {
    ...cast,
    dan,
    /** Creates a circle and fails the test if the server refuses it. */
    async circle(name: string, members: readonly Person[], who = cast.ann) {
      const { status, body } = await server.call(createCircle, { body: circleBody(name, members) }, who)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body
    },
    createCircle: (body: NewCircle, who: Person) => server.call(createCircle, { body }, who),
    circles: async (who: Person) => (await server.call(listCircles, {}, who)).body,
    edit: (id: CircleId, body: ChangeCircle, who: Person) => server.call(changeCircle, { params: { id }, body }, who),
    erase: (id: CircleId, who: Person) => server.call(deleteCircle, { params: { id } }, who),
    clearCircles: () => server.db`truncate circles cascade`,
  }
}

/** The usernames of the invitees. */
export function invitees({ recipients }: Pick<OwnPing, 'recipients'>): string[] {
  return recipients.map(({ recipient_username }) => recipient_username)
}
