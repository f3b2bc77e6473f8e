import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import GlobalStyles from '@mui/material/GlobalStyles'
import { visuallyHidden } from '@mui/utils'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { useSession } from '../../session/session.ts'
import { barText } from '../../trips/trip-texts.rules.ts'
import { useHeight } from '../../ui/use-height.ts'
import type { OwnTrip } from './own-trips.rules.ts'
import { startTripWork } from './trip-work.ts'
import { useEndedTrips } from './use-ended-trips.ts'
import { useOwnTrips } from './use-own-trips.ts'
import { useTripActions } from './use-trip-actions.ts'

interface Props {
  /** Whether the viewer is on the way. The component stays mounted afterwards, to show a message when a trip ends. */
  open: boolean
}

/** Shows the trips of the viewer on every screen, and runs what this device estimates for one of them. */
export function TripBar(_props: Props) {
  const { user } = useSession()
  return user && <ViewerTripBar key={user.id} viewer={user} />
}

function ViewerTripBar({ viewer }: { viewer: User }) {
  const queryClient = useQueryClient()
  const trips = useOwnTrips(viewer.id).data
  const onTheWay = trips?.filter(({ state }) => state === 'en_route')
  const text = barText(onTheWay ?? [])
  useEndedTrips(trips)
  useEffect(() => startTripWork(queryClient, viewer.id), [queryClient, viewer.id])
  return (
    <>
      <StartAnnouncement text={text} trips={onTheWay?.map(({ ping_id }) => ping_id).join() ?? ''} />
      {text !== null && onTheWay?.[0] && <Bar viewer={viewer} trip={onTheWay[0]} text={text} />}
    </>
  )
}

/** Screen readers announce a start, and no later change of the arrival time. */
function StartAnnouncement({ text, trips }: { text: string | null; trips: string }) {
  const [spoken, setSpoken] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another trip is announced
  useEffect(() => setSpoken(text), [trips])
  return (
    <span role="status" style={visuallyHidden}>
      {spoken}
    </span>
  )
}

function Bar({ viewer, trip, text }: { viewer: User; trip: OwnTrip; text: string }) {
  const [ref, heightPx] = useHeight<HTMLDivElement>()
  const { arrive, stop } = useTripActions(viewer)
  return (
    <Box
      ref={ref}
      component="section"
      aria-label={t('trips.onMyWay')}
      data-bar="bottom"
      sx={{
        gridRow: 4,
        position: 'sticky',
        bottom: 0,
        zIndex: 2,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1,
        paddingInlineStart: 'max(8px, var(--sal))',
        paddingInlineEnd: 'max(8px, var(--sar))',
        pb: 'var(--trip-bar-inset, 0px)',
        bgcolor: 'background.paper',
        boxShadow: (theme) => `inset 0 1px ${theme.vars.palette.divider}`,
      }}
    >
      <GlobalStyles styles={{ ':root': { '--trip-bar': `${heightPx}px` } }} />
      <ButtonBase
        component={Link}
        to={`/pins/${trip.ping_id}`}
        sx={{
          flex: '1 1 180px',
          minHeight: 52,
          px: 1,
          justifyContent: 'start',
          textAlign: 'start',
          typography: 'body2',
          fontWeight: 600,
          overflowWrap: 'anywhere',
          '&.Mui-focusVisible': { outlineOffset: -4 },
        }}
      >
        {text}
      </ButtonBase>
      <Box sx={{ display: 'flex', gap: 1, marginInlineStart: 'auto', py: 0.5 }}>
        <Button variant="contained" onClick={() => arrive(trip)} sx={{ minHeight: 44 }}>
          {t('trips.here')}
        </Button>
        <Button onClick={() => stop(trip)} sx={{ minHeight: 44 }}>
          {t('trips.stop')}
        </Button>
      </Box>
    </Box>
  )
}
