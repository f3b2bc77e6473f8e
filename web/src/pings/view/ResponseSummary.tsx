import type { Guest, Ping, PingResponse, ResponseType } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { shortListText } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { isOutdated } from '../pings.rules.ts'
import { PingFaces } from './PingFaces.tsx'

const order = ['accepted', 'tentative', 'declined'] as const satisfies readonly ResponseType[]
const colours = { accepted: 'success.main', tentative: 'warning.main', declined: 'text.secondary' } as const

/** Few pings have guests. */
const GuestNames = lazyComponent(async () => (await import('../guests/owner/GuestNames.tsx')).GuestNames)

/** The count, faces and names of each response: the invitees, then the guests whom the owner has approved. */
export function ResponseSummary({
  ping,
  viewer,
}: {
  ping: Pick<Ping, 'responses' | 'guests' | 'revision'>
  viewer: User
}) {
  const lines = order
    .map((type) => {
      const isOfType = (it: PingResponse | Guest) => it.response_type === type
      const guests = ping.guests.filter((guest) => isOfType(guest) && guest.state === 'approved')
      return { type, people: ping.responses.filter(isOfType), guests }
    })
    .filter(({ people, guests }) => people.length + guests.length > 0)
  if (lines.length === 0) {
    return (
      <Typography variant="body2" color="textSecondary">
        {t('pings.nobodyYet')}
      </Typography>
    )
  }
  return (
    <Box
      component="ul"
      aria-label={t('pings.responsesTitle')}
      sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}
    >
      {lines.map(({ type, people, guests }) => (
        <Box component="li" key={type} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
          <PingFaces people={people} guests={guests} viewer={viewer} />
          <Typography variant="body2" sx={{ flex: '1 1 120px', minWidth: 0, overflowWrap: 'anywhere' }}>
            <Box component="span" sx={{ fontWeight: 700, color: colours[type] }}>
              {people.length + guests.length} {t(`pings.responses.${type}`)}
            </Box>{' '}
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {shortListText(people.map((person) => nameOf(person, ping)))}
              {guests.length > 0 && <GuestNames guests={guests} ping={ping} isFirst={people.length === 0} />}
            </Box>
          </Typography>
        </Box>
      ))}
    </Box>
  )
}

function nameOf(response: PingResponse, ping: Pick<Ping, 'revision'>): string {
  const name = shownName(response)
  return isOutdated(response, ping) ? t('pings.notConfirmed', { name }) : name
}
