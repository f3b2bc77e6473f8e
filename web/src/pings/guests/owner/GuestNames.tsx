import type { Guest, Ping } from '@hither/contract/pings.ts'
import { visuallyHidden } from '@mui/utils'
import { Fragment } from 'react'
import { isOutdated } from '../../pings.rules.ts'
import { pingDetailsStrings } from '../../view/strings.ts'
import { guestListStrings } from './strings.ts'

interface Props {
  guests: readonly Guest[]
  ping: Pick<Ping, 'revision'>
  isFirst: boolean
}

/** The names of guests, after those of the invitees unless `isFirst`. */
export function GuestNames({ guests, ping, isFirst }: Props) {
  return guests.map((guest, index) => {
    const { id, user_id, name, response_type } = guest
    const outdated = isOutdated(guest, ping)
    const spoken = guestListStrings.spoken(name, user_id !== null, pingDetailsStrings.responses[response_type])
    return (
      <Fragment key={id}>
        {(!isFirst || index > 0) && ', '}
        <span aria-hidden>
          <bdi>{name}</bdi> {outdated ? pingDetailsStrings.notConfirmed(guestListStrings.mark) : guestListStrings.mark}
        </span>
        <span style={visuallyHidden}>{outdated ? pingDetailsStrings.notConfirmed(spoken) : spoken}</span>
      </Fragment>
    )
  })
}
