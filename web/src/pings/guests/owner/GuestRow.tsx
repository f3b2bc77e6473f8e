import type { Guest } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { t } from '../../../i18n/translate.ts'
import { UserAvatar } from '../../../ui/UserAvatar.tsx'
import { GuestMenu } from './GuestMenu.tsx'
import { spokenGuest } from './spoken-guest.ts'

interface Props {
  guest: Guest
  canApprove: boolean
  onApprove: () => void
  onRemove: () => void
}

export function GuestRow({ guest, canApprove, onApprove, onRemove }: Props) {
  const { id, user_id: userId, name } = guest
  const answer = t(`pings.responses.${guest.response_type}`)
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1.5,
        px: 2,
        py: 1,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <UserAvatar userId={userId ?? id} name={name} size={40} />
      <Box sx={{ flex: '1 1 140px', minWidth: 0 }}>
        <span style={visuallyHidden}>{spokenGuest(name, userId !== null, answer)}</span>
        <Box aria-hidden sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
          <Typography sx={{ fontWeight: 700, overflowWrap: 'anywhere', minWidth: 0 }}>
            <bdi>{name}</bdi>
          </Typography>
          <Chip size="small" variant="outlined" label={t('pings.guestList.chip')} />
        </Box>
        <Typography aria-hidden variant="body2" color="textSecondary">
          {answer}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, marginInlineStart: 'auto', marginInlineEnd: -1 }}>
        {canApprove && (
          <Button
            variant="outlined"
            size="small"
            aria-label={t('pings.guestList.approveName', { name })}
            onClick={onApprove}
          >
            {t('pings.guestList.approve')}
          </Button>
        )}
        <Button size="small" color="error" aria-label={t('pings.guestList.removeName', { name })} onClick={onRemove}>
          {t('pings.guestList.remove')}
        </Button>
        <GuestMenu guest={guest} />
      </Box>
    </Box>
  )
}
