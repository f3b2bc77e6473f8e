import type { Trip } from '@hither/contract/trips.ts'
import CheckRounded from '@mui/icons-material/CheckRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { visuallyHidden } from '@mui/utils'
import { rowName, rowText } from '../../trips/trip-texts.rules.ts'
import { UserAvatar } from '../../ui/UserAvatar.tsx'

interface Props {
  trip: Trip
  name: string
  hasImage: boolean
  nowMs: number
  /** Makes the row a button, for the viewer's own trip. */
  onChange?: () => void
}

/** One person with the arrival time. Screen readers read it as one sentence. */
export function TripRow({ trip, name, hasImage, nowMs, onChange }: Props) {
  const { main, second, isHere } = rowText(trip, nowMs)
  const content = (
    <>
      <span style={visuallyHidden}>{rowName(name, trip, nowMs)}</span>
      <UserAvatar userId={trip.user_id} name={name} hasImage={hasImage} size={36} />
      <Box aria-hidden sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, typography: 'body2', fontWeight: 700 }}>
          <Box component="bdi" sx={{ flex: '1 1 auto', minWidth: 0, overflowWrap: 'anywhere' }}>
            {name}
          </Box>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, ...(isHere && { color: 'success.main' }) }}>
            {isHere && <CheckRounded sx={{ fontSize: 18 }} />}
            {main}
          </Box>
        </Box>
        <Box sx={{ typography: 'body2', color: 'text.secondary' }}>{second}</Box>
      </Box>
    </>
  )
  return (
    <li>
      {onChange ? (
        <ButtonBase
          aria-haspopup="dialog"
          onClick={onChange}
          sx={{ ...rowStyle, '&:hover': { bgcolor: 'action.hover' } }}
        >
          {content}
        </ButtonBase>
      ) : (
        <Box sx={rowStyle}>{content}</Box>
      )}
    </li>
  )
}

const rowStyle = {
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 1.5,
  width: '100%',
  minHeight: 52,
  py: 0.5,
  borderRadius: '12px',
  textAlign: 'start',
}
