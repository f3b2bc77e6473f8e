import type { Guest, Ping } from '@hither/contract/pings.ts'
import { visuallyHidden } from '@mui/utils'
import { Fragment } from 'react'
import { t } from '../../../i18n/translate.ts'
import { isOutdated } from '../../pings.rules.ts'
import { spokenGuest } from './spoken-guest.ts'

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
    const spoken = spokenGuest(name, user_id !== null, t(`pings.responses.${response_type}`))
    return (
      <Fragment key={id}>
        {(!isFirst || index > 0) && ', '}
        <span aria-hidden>
          <bdi>{name}</bdi>{' '}
          {outdated ? t('pings.notConfirmed', { name: t('pings.guestList.mark') }) : t('pings.guestList.mark')}
        </span>
        <span style={visuallyHidden}>{outdated ? t('pings.notConfirmed', { name: spoken }) : spoken}</span>
      </Fragment>
    )
  })
}
